import tensorflow as tf
x = tf.keras.Input(shape=(7, 7, 64))
y = tf.reshape(x, [-1, 3136])
