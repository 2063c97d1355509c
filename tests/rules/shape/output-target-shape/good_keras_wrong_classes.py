import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

(x, y), _ = keras.datasets.mnist.load_data()
x = x.reshape(60000, 784) / 255.
y = keras.utils.to_categorical(y, 10)
model = keras.Sequential([layers.Dense(64, activation='relu', input_shape=(784,)), layers.Dense(10, activation='softmax')])
model.compile('adam', 'categorical_crossentropy')
model.fit(x, y)
