import tensorflow as tf

x = tf.random.normal([64, 8])
mean, variance = tf.nn.moments(x, axes=[0])
