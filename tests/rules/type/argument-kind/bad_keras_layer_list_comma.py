import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential(layers.Dense(8, input_shape=(4,)), layers.Dense(1))
