try:
    pass
except* ValueError as e:
    pass
a[*b, 1:2] = c
def f(*args: *Ts): pass
