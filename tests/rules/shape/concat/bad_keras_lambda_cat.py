import numpy as np
from keras.models import Sequential, Model
from keras.layers import *

a = Input((4,))
b = Input((4, 2))
c = concatenate([a, b])
