import keras
import tensorflow as tf
from keras import layers
x = keras.Input(shape=(4,))
y = tf.math.l2_normalize(layers.Dense(2)(x), axis=-1)
