def f(q):
    x = None
    while True:
        x = q.get()
        if x:
            continue
        return x
