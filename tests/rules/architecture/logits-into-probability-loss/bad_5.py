import numpy as np
from keras.models import Sequential
from keras.layers import Dense
x = np.random.uniform(0, 10, (1000, 3))
x = (x - x.mean(axis=0)) / x.std(axis=0)
y = np.random.uniform(0, 500, (1000, 1))
model = Sequential()
model.add(Dense(20, activation='relu', input_dim=3))
model.add(Dense(1))
model.compile(optimizer='adam', loss='binary_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=100)
