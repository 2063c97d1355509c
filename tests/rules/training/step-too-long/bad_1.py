import numpy as np
from keras.models import Sequential
from keras.layers import Dense
from keras.optimizers import SGD
x = np.arange(0, 100, dtype='float32').reshape(-1, 1)
y = 2 * x + 1
model = Sequential([Dense(1, input_shape=(1,))])
model.compile(optimizer=SGD(lr=0.01), loss='mean_squared_error')
model.fit(x, y, epochs=100)
