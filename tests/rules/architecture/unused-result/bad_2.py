from tensorflow import keras
from tensorflow.keras import layers

picture = keras.Input((32, 32, 3))
x = layers.Conv2D(16, 3, activation="relu")(picture)
layers.MaxPooling2D()(x)
x = layers.Conv2D(32, 3, strides=2, activation="relu")(x)
x = layers.GlobalAveragePooling2D()(x)
model = keras.Model(picture, layers.Dense(5, activation="softmax")(x))
