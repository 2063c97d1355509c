import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 32, 32, 3])
h = tf.layers.conv2d(x, 8, 3, padding='same')
pixels = tf.reshape(h, [-1, 8])
lines = tf.reshape(h, [-1, 32 * 8])
flat = tf.reshape(h, [-1, 32 * 32 * 8])
