d = {}
d['d'] = d
e = {'d': {'d': d}}
d == e
if x:
    d = e
for k in range(40):
    d[k] = dict(d)
    d.update(e)
    e[z] = d
f(**d)
