def f(p):
    with open(p) as a, lock(a) as b:
        if b:
            raise ValueError(a)
        c = a.read()
    return c
