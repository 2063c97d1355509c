def g():
    while True:
        yield from g()
        yield (yield)
list(g())
for a in g():
    for b in a:
        pass
