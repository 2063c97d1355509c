def f(p):
    for q in p:
        try:
            r = open(q)
            if r:
                break
            return r
        finally:
            r = None
    return r
