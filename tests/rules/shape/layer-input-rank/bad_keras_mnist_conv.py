import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train = x_train / 255.0
model = keras.Sequential([
    layers.Conv2D(32, 3, activation='relu', input_shape=(28, 28)),
    layers.Flatten(),
    layers.Dense(10, activation='softmax')])
model.compile('adam', 'sparse_categorical_crossentropy')
model.fit(x_train, y_train)
