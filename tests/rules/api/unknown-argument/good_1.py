def f(**k):
    return k


f(a=1, b=2)
