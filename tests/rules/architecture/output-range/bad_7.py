import numpy as np
from keras.models import Sequential
from keras.layers import Dense
x = np.random.rand(1000, 20)
y = np.random.uniform(0, 100, 1000)
model = Sequential([Dense(16, activation='relu', input_dim=20), Dense(1, activation='tanh')])
model.compile('adam', 'mse')
model.fit(x, y, epochs=30)
