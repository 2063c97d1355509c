def f():
    """Does things.
    return 1

def g():
    return 2
