import numpy as np
from keras.models import Sequential
from keras.layers import Dense
y = np.zeros(100)
y[50:] = 1
idx = np.arange(100)
np.random.shuffle(idx)
X = np.random.randn(100, 3) + y[:, None]
X, y = X[idx], y[idx]
m = Sequential([Dense(4, activation='relu', input_shape=(3,)), Dense(1, activation='sigmoid')])
m.compile(loss='binary_crossentropy', optimizer='adam')
m.fit(X, y, validation_split=0.2, epochs=3)
