import numpy as np
from tensorflow import keras
labels = [0] * 190 + [1] * 10
X = np.random.rand(200, 6)
y = np.array(labels)
idx = np.random.permutation(200)
X, y = X[idx], y[idx]
m = keras.Sequential([keras.layers.Dense(8, activation='relu', input_shape=(6,)), keras.layers.Dense(1, activation='sigmoid')])
m.compile(optimizer='adam', loss='binary_crossentropy', metrics=['accuracy'])
m.fit(X, y, epochs=20)
