import numpy as np
from keras.models import Sequential, Model
from keras.layers import *

a = Input((4,))
b = Input((3,))
m = Model([a, b], Dense(1)(Concatenate()([a, b])))
m.compile('adam', 'mse')
m.fit(np.zeros((8, 4)), np.zeros(8))
