import numpy as np
from tensorflow import keras


def batches(x, y, size):
    while True:
        rows = np.random.randint(0, len(x), size=size)
        yield x[rows], y[rows]


x = np.random.rand(1000, 20)
y = np.random.rand(1000, 1)
model = keras.Sequential([keras.layers.Dense(16, activation="relu", input_shape=(20,)), keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(batches(x, y, 32), steps_per_epoch=30, epochs=10)
