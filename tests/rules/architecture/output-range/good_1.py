from keras.models import Sequential
from keras.layers import Activation, BatchNormalization, Conv2D, Dense, Flatten, MaxPooling2D
model = Sequential()
model.add(Dense(8, input_dim=4, activation='relu'))
model.add(Dense(1, activation='linear'))
model.compile(loss='mse', optimizer='adam')
import numpy as np
x = np.random.rand(100, 4)
y = np.random.uniform(3, 103, (100, 1))
model.fit(x, y)
