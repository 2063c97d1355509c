import numpy as np
from keras.models import Sequential
from keras.layers import Dense
x = np.random.rand(1000, 3)
y = x.dot([1.0, 2.0, 3.0])
model = Sequential()
model.add(Dense(20, activation='relu', input_dim=3))
model.add(Dense(1))
model.compile(optimizer='adam', loss='mse', metrics=['accuracy'])
model.fit(x, y, epochs=100)
