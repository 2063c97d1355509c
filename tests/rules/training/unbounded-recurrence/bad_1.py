import numpy as np
from keras.models import Sequential
from keras.layers import LSTM, Dense
X = np.random.rand(900, 60, 1)
y = np.random.rand(900, 1)
model = Sequential()
model.add(LSTM(100, activation='relu', return_sequences=True, input_shape=(60, 1)))
model.add(LSTM(100, activation='relu'))
model.add(Dense(1))
model.compile(loss='mse', optimizer='adam')
model.fit(X, y, epochs=20, batch_size=32)
