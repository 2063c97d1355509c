import numpy as np
from keras.models import Sequential
from keras.layers import Dense
x = np.arange(-100, 100, 0.5) / 100
y = x ** 3
model = Sequential()
model.add(Dense(50, activation='sigmoid', input_dim=1))
model.add(Dense(1))
model.compile(loss='mse', optimizer='sgd')
model.fit(x, y, epochs=100, batch_size=20)
