from keras.models import Sequential
from keras.layers import Activation, BatchNormalization, Conv2D, Dense, Flatten, MaxPooling2D
model = Sequential()
model.add(Dense(8, input_shape=(1,), activation='tanh'))
model.add(Dense(1))
model.compile(loss='mse', optimizer='adam')
import numpy as np
x = np.arange(-100, 100, 0.5)
y = np.sin(x)
model.fit(x, y)
