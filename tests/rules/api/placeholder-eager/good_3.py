import tensorflow as tf
v1 = tf.compat.v1
x = tf.keras.Input(shape=(2,))
