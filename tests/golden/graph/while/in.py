def f(n):
    s = 0
    while n:
        if n == 3:
            break
        s += n
        n -= 1
    else:
        s = -1
    return s
