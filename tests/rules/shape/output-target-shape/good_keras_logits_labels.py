import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

(x_train, y_train), _ = keras.datasets.cifar10.load_data()
model = keras.Sequential([
    layers.Conv2D(16, 3, activation='relu', input_shape=(32, 32, 3)),
    layers.Flatten(),
    layers.Dense(10)])
model.compile('adam', keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x_train / 255.0, y_train)
