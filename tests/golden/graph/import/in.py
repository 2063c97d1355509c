import os.path, sys as s
from .m import a, b as c
from x import *
print(os, s, a, c, b)
