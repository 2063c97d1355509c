import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.random.rand(100, 28, 28)
inputs = keras.Input(shape=(28, 28, 1))
outputs = layers.Conv2D(1, 1, activation="sigmoid")(inputs)
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="binary_crossentropy")
model.fit(np.expand_dims(x, -1), x, epochs=20)
