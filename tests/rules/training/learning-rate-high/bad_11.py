from keras.models import Sequential
from keras.layers import Dense
from keras.optimizers import SGD
import numpy as np
X = np.random.rand(500, 3)
y = X.sum(axis=1)
model = Sequential()
model.add(Dense(10, input_dim=3, activation='relu'))
model.add(Dense(1, activation='linear'))
sgd = SGD(lr=5.0)
model.compile(loss='mse', optimizer=sgd)
model.fit(X, y, epochs=50)
