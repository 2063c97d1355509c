import numpy as np
from keras.models import Sequential, Model
from keras.layers import *

x = np.random.rand(50, 100)
y = np.random.rand(50, 1)
model = Sequential()
model.add(Conv1D(8, 3, input_shape=(100, 1)))
model.add(Flatten())
model.add(Dense(1))
model.compile('adam', 'mse')
model.fit(x, y)
