d = {}
for i in range(40):
    for k in z:
        d[k] = d
        if k:
            d[k + 'x'] = i
        else:
            d[str(k)] = k
    d.update(d)
e = {'a': 1}
for i in range(40):
    e.update(e)
    e.update(e, a=e, **e)
    e[i] = e.copy()
