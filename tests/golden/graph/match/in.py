def f(m):
    match m:
        case [x, *rest] if x:
            y = rest
        case {'k': v, **kw}:
            y = v
        case Point(x=0) as p:
            y = p
        case _:
            y = None
    return y
