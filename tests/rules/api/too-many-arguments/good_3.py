args = load()


def f(a):
    return a


f(*args)
