from keras.models import Sequential
from keras.layers import Dense
from keras.callbacks import EarlyStopping
import numpy as np
x, y = np.random.rand(100, 4), np.random.rand(100, 1)
model = Sequential()
model.add(Dense(8, input_dim=4, activation='relu'))
model.add(Dense(1))
model.compile(loss='mse', optimizer='adam')
calls = [EarlyStopping(patience=30)]
model.fit(x, y, 16, 20, callbacks=calls)
