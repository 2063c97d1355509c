def build(n):
    return n
