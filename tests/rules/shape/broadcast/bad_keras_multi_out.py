import numpy as np
from keras.models import Sequential, Model
from keras.layers import *

i = Input((4,))
a = Dense(2)(i)
b = Dense(3)(i)
m = Model(i, [a, b])
m.compile('adam', 'mse')
x = i + Dense(5)(i)
