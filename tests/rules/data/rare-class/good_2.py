import numpy as np
from tensorflow import keras

x = np.random.normal(size=(2000, 6))
y = np.random.choice([0, 1], size=2000, p=[0.95, 0.05])
model = keras.Sequential([keras.layers.Dense(8, activation="relu", input_shape=(6,)),
                          keras.layers.Dense(1, activation="sigmoid")])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x, y, epochs=10, class_weight={0: 1.0, 1: 19.0})
