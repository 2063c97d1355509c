def f(a):
    if a > 1:
        b = 1
    elif a:
        b = 2
    else:
        return a
    return b
