import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    layers.Dense(7 * 7 * 128, input_shape=(100,)),
    layers.Reshape((7, 7, 128)),
    layers.Conv2DTranspose(1, 5, strides=2, padding='same')])
