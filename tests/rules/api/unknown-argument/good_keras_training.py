from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input(shape=(10, 8))
x = layers.Dense(16, activation="relu")(inputs, training=True)
x = layers.LayerNormalization()(x, training=False)
x = layers.GlobalAveragePooling1D()(x, None)
outputs = layers.Flatten()(x, training=True)
model = keras.Model(inputs, outputs)
