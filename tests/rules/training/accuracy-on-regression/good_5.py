import keras
import numpy as np
x = np.random.normal(size=(500, 12))
y = np.random.randint(0, 4, size=(500,))
model = keras.Sequential([keras.Input((12,)), keras.layers.Dense(24, activation="relu"), keras.layers.Dense(4, activation='softmax')])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=10)
