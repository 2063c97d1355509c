try:
    import a
except E:
    def f(x): return x
else:
    def g(y):
        def h(): return y
        return h
g(1)
