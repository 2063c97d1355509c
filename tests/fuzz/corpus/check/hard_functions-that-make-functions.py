def f(g):
    def h(x):
        return f(lambda y: g(h(y)))(x)
    return h
f(f)(f)(f(f))
