k = 2
xs = [a * k for a in range(3) if a]
d = {a: b for a, b in xs}
g = (y for x in xs for y in x)
if any((m := v) > k for v in xs):
    print(m, a)
