import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 32, 32, 3])
h = tf.layers.conv2d(x, 8, 3, padding='same')
h = tf.layers.max_pooling2d(h, 2, 2)
flat = tf.reshape(h, [-1, 32 * 32 * 8])
