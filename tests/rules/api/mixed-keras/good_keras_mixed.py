import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense
model = tf.keras.Sequential()
model.add(Dense(4, input_shape=(3,)))
