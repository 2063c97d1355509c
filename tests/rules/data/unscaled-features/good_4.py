import numpy as np
from tensorflow import keras
a = np.random.normal(0, 1, 300); b = np.random.normal(5, 2, 300)
X = np.stack([a, b], axis=1)
m = keras.Sequential([keras.layers.BatchNormalization(input_shape=(2,)), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
m.compile("adam", "mse")
m.fit(X, a + b, epochs=3)
big = np.random.normal(5000, 100, 300)
X2 = np.stack([a, big], axis=1)
m.fit(X2, a, epochs=3)
