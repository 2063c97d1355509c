import numpy as np
from keras.models import Sequential
from keras.layers import Dense
x = np.linspace(-3, 3, 1000).reshape(-1, 1)
y = np.sin(x)
model = Sequential()
model.add(Dense(20, activation='tanh', input_dim=1))
model.add(Dense(1, activation='softmax'))
model.compile(optimizer='adam', loss='mse')
model.fit(x, y, epochs=100)
