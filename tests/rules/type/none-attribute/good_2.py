x = sorted([3, 1])
x.append(2)
