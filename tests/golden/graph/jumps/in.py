def f(a):
    while a:
        try:
            continue
        finally:
            if a:
                break
    b = 1
    return b
    c = b
break
return 1
