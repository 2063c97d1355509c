def f(x):
    return f(f(f(x)))
f(1)
