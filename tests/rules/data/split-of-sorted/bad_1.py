import numpy as np
from tensorflow import keras

centres = np.random.normal(size=(4, 6))
label = np.repeat(np.arange(4), 100)
x = centres[label] + 0.1 * np.random.normal(size=(400, 6))
model = keras.Sequential([keras.layers.Dense(16, activation="relu", input_shape=(6,)),
                          keras.layers.Dense(4, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x, label, epochs=10, validation_split=0.25)
