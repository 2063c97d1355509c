import numpy as np
from tensorflow import keras

x = keras.Input(shape=(4,))
h = keras.layers.Dense(8, activation="relu")(x)
outputs = [keras.layers.Dense(1)(h) for _ in range(3)]
model = keras.Model(x, outputs)
model.compile(loss="mse", optimizer="adam")
model.fit(np.zeros((100, 4)), [np.zeros((100, 1)) for _ in outputs])
