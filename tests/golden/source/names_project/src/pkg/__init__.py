from .sub import build as make
from .nets import *
