x = [1]
for i in range(40):
    x = x + x
    x.extend(x)
    x += [x, x]
y = x * 10**9
y == x
