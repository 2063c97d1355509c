def g(*a):
    return a

@g
def f(x: g(1) = g(2)) -> g(3):
    yield g(4)
    if g(5):
        raise g(6)
    elif g(7):
        assert g(8), g(9)
    while g(10):
        x[g(11)] = g(12)
    for y in g(13):
        del y[g(14)]
    with g(15) as z:
        z += g(16)
    try:
        g(17)
    except g(18):
        return g(19)
    match g(20):
        case g(1) if g(21):
            v: g(22) = g(23)

class C(g(24), metaclass=g(25)):
    a = [g(b) for b in g(26) if g(27)]
    s = f"{g(28)}"
