import numpy as np
from keras.models import Sequential
from keras.layers import LSTM, Dense
data = np.arange(0, 1000).astype('float32')
X = np.array([data[i:i+10] for i in range(900)])
X = np.random.uniform(0, 1, size=(900, 10, 1))
y = np.random.uniform(0, 1, size=(900, 1))
model = Sequential()
model.add(LSTM(50, input_shape=(10, 1)))
model.add(Dense(1))
model.compile(loss='mse', optimizer='adam')
model.fit(X, y, epochs=20, batch_size=32)
