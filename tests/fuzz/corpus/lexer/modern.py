@dec(a, b=1)
async def f[T: int, *Ts, **P](a, /, b: int = 3, *args: *Ts, c=0, **kw) -> (x := 1):
    """doc"""
    global g, h
    async with a as b, (c): await d
    async for i, *j in k: yield
    else: pass
    return f'{x!r:>{10}} {{}} {a=} {f"{1:{2}}"}' 'b' rf"\{y}"
class C(B, metaclass=M): x: int = -1 ** 2; y = lambda a, *b, c=1: (yield)
if a < b <= c != d is not e not in f and not g or h: del a, b[1:2, ::3, ...]
elif {1: 2, **z} | {3, *q}: raise E from F
else: assert x, "m"
try: from . import (a as b, c,)
except* E as e: import a.b as c, d
finally: x = y = *z, 1; x @= 0x1F + 0b1 + 0o7 + 1_0.5e-3j
match a, b:
    case [1, -2+3j, *_] | {"k": v, **rest} if g: ...
    case C(x, y=None) as z: pass
    case a.b.c | "s" | (p, q) | (r): pass
with (a as b, c as d): nonlocal n
type X[T] = list[T]
[i async for i in a if b if c]; {i: j for i in k}; (i for i in j); f(*a, **b, c=d, *e)
while x if y else z: break; continue
