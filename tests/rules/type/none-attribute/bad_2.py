x = [3, 1].sort()
x.append(2)
