import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4])
y = tf.exp(-tf.abs(tf.layers.dense(x, 3)))
