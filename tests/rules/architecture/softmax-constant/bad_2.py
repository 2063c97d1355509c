import tensorflow as tf
from tensorflow.keras import layers
inp = layers.Input((20, 16))
score = layers.Dense(1)(inp)
w = layers.Softmax(axis=-1)(score)
ctx = layers.Lambda(lambda t: tf.reduce_sum(t[0] * t[1], axis=1))([w, inp])
m = tf.keras.Model(inp, ctx)
