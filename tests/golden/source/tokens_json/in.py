x = 1  # c
