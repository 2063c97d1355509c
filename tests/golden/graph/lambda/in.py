def f(n):
    g = lambda x, y=n: x + y + z
    z = 1
    return g(z)
z = 4
