from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input(shape=(32,))
x = layers.Dense(64, activation="relu")(inputs)
skip = x
x = layers.Dense(64, activation="relu")(x)
x = layers.Dense(64)(x)
x = layers.add([x, skip])
outputs = layers.Dense(3, activation="softmax")(x)
model = keras.Model(inputs, outputs)
