import a.b, c.d as e
from f import g as h, k
for i, (j, *l) in m: pass
with n as o, p as (q, r): pass
try: pass
except E as s: pass
t: int
u: int = 1
v += 1
del w
def x(y, /, z=0, *aa, bb, **cc): return lambda dd, ee=y: dd + ee
class ff[gg](hh, metaclass=ii): pass
match jj:
    case [kk, *ll] | {"m": mm, **nn} as oo: pass
    case _: pass
