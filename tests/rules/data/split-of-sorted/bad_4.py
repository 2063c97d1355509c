import numpy as np
from keras.models import Sequential
from keras.layers import Dense
N = 1000
data = np.random.randn(N, 10)
labels = np.zeros(N)
labels[N // 2:] = 1
model = Sequential()
model.add(Dense(32, activation='relu', input_dim=10))
model.add(Dense(1, activation='sigmoid'))
model.compile(optimizer='rmsprop', loss='binary_crossentropy', metrics=['accuracy'])
model.fit(data, labels, epochs=10, batch_size=32, validation_split=0.2)
