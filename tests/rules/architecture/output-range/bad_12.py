import numpy as np
from keras.models import Sequential
from keras.layers import LSTM, Dense
prices = np.random.uniform(50, 150, 1000)
X, y = [], []
for i in range(900):
    X.append(prices[i:i + 10])
    y.append(prices[i + 10])
X, y = np.array(X).reshape(-1, 10, 1) / 150, np.array(y)
model = Sequential()
model.add(LSTM(32, input_shape=(10, 1)))
model.add(Dense(1, activation='tanh'))
model.compile(loss='mse', optimizer='adam')
model.fit(X, y, epochs=10)
