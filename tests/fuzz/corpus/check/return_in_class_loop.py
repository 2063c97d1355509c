def f(x):
    if x > 1:
        return 1
    class A:
        for i in x:
            if i:
                return 3
    return 2
f(open("a").read())
