from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input(shape=(50, 8))
x = layers.Masking(mask_value=0.0)(inputs)
x = layers.Conv1D(16, 5, padding="same", activation="relu")(x)
x = layers.GRU(32)(x)
model = keras.Model(inputs, layers.Dense(3, activation="softmax")(x))
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
