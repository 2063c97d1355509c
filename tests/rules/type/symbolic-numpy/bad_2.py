import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
x = layers.Dense(2)(keras.Input(shape=(3,)))
a = x.numpy()
