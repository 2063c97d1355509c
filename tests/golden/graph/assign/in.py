a = b = 1
a, (c, *d) = e = f()
x: int
y: int = a
x += y
d[0] = c.q = x
d.append(y)
del a, d[1]
print(a, d)
