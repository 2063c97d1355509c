def f(p):
    v = 0
    try:
        v = int(p)
        w = v + 1
    except (ValueError, TypeError) as e:
        return str(e), v
    except KeyError:
        raise
    else:
        v = w
    return v
