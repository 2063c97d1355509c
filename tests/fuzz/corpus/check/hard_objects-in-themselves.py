class A:
    pass
a = A()
a.a = a
b = A()
b.a = b
if x:
    a = b
for i in range(40):
    c = A()
    c.a = a
    a = c
a.a.a.a
