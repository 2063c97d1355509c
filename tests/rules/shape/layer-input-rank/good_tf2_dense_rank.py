import numpy as np
import tensorflow as tf

inp = tf.keras.Input(shape=(32, 32, 3))
x = tf.keras.layers.Reshape((32, 96))(inp)
x = tf.keras.layers.LSTM(8)(x)
