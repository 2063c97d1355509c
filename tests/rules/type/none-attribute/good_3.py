y = [1][::-1]
y.append(2)
