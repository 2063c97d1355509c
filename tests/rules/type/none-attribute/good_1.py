x = []
x.append(1)
