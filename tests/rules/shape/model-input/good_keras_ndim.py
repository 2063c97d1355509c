import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, MaxPooling2D, Flatten, LSTM, Embedding, Input, Dropout, GRU, concatenate, TimeDistributed

model = Sequential()
model.add(LSTM(32, input_shape=(10, 4)))
model.add(Dense(1))
model.compile(loss='mse', optimizer='adam')
x = np.random.rand(100, 10, 4)
y = np.random.rand(100, 1)
model.fit(x, y)
