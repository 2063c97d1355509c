def f(a=b, *, c: d = e) -> g:
    b = d = e = g = 1
    @b
    class h(b): pass
x = lambda i=i: [i for i in i]
