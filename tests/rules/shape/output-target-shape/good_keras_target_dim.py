import numpy as np
from keras.models import Sequential, Model
from keras.layers import *

x = np.random.rand(50, 8)
y = np.random.rand(50, 3)
model = Sequential([Dense(4, input_shape=(8,)), Dense(3)])
model.compile('adam', 'mse')
model.fit(x, y)
