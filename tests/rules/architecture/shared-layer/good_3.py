from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input(shape=(32,))
x = inputs
for layer in [layers.Dense(32, activation="relu") for _ in range(3)]:
    x = layer(x)
model = keras.Model(inputs, layers.Dense(1)(x))
