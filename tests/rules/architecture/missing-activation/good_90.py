import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
h = tf.contrib.layers.fully_connected(x, 64)
h = tf.contrib.layers.fully_connected(h, 64)
logits = tf.contrib.layers.fully_connected(h, 5, activation_fn=None)
