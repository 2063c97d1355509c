import keras
import tensorflow as tf
m = tf.keras.models.Sequential()
m.add(keras.layers.Dense(1))
