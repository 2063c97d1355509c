import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(16, activation="relu", input_shape=(8,)),
                          keras.layers.Dense(1, activation="relu"),
                          keras.layers.Dense(3, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
model.fit(np.random.rand(100, 8), np.random.randint(0, 3, 100), epochs=3)
