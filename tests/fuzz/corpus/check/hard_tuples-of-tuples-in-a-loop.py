t = (1,)
u = (1,)
for i in range(40):
    t = (t, t, t)
    u = (u, u, u)
    if a:
        t = u
t == u
x = [t] * 100
hash(t)
