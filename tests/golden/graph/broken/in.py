def f(:
    x = (1
    return x
else:
    y = 2
type T[P] = list[P]
= 3
print(y, T
