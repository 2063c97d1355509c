shape = (3,) + (4,)
