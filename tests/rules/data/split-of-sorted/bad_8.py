import numpy as np
import pandas as pd
from keras.models import Sequential
from keras.layers import Dense
X = []
Y = []
for i in range(3):
    samples = np.random.multivariate_normal([i, i], np.eye(2), 200)
    X.append(samples)
    Y.append(np.full(200, i))
X = np.concatenate(X)
Y = np.concatenate(Y)
model = Sequential()
model.add(Dense(16, input_dim=2, activation='relu'))
model.add(Dense(3, activation='softmax'))
model.compile(loss='sparse_categorical_crossentropy', optimizer='adam', metrics=['accuracy'])
model.fit(X, Y, epochs=50, batch_size=10, validation_split=0.33)
