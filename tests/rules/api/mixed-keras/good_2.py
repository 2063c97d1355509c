import tensorflow as tf
m = tf.keras.models.Sequential()
m.add(tf.keras.layers.Dense(1))
