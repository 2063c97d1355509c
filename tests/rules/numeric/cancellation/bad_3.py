import tensorflow as tf

x = tf.random.normal([64, 8])
variance = tf.reduce_mean(tf.square(x), axis=0) - tf.square(tf.reduce_mean(x, axis=0))
