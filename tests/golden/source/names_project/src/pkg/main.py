import pkg
from pkg import make, Net
from .sub.impl import build as b
from . import nets
make(1); Net(); b(2); nets.Net.fit(n); pkg.sub.build(3); pkg.nothing()
