y = [1].reverse()
y.append(2)
