import keras
import numpy as np
x = np.random.normal(size=(500, 12))
y = np.random.randint(0, 2, size=(500, 1))
model = keras.Sequential([keras.Input((12,)), keras.layers.Dense(24, activation="gelu"), keras.layers.Dense(1, activation="linear")])
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss=keras.losses.BinaryCrossentropy(), metrics=["accuracy"])
model.fit(x, y, epochs=10)
