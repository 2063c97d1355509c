def outer():
    n = 0
    def inner():
        nonlocal n
        n += 1
        def deep():
            return n
        return deep
    return inner
