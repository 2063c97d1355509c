import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 28])
y = tf.placeholder(tf.float32, [None, 10])
a = tf.layers.dense(x, 5)
b = tf.layers.dense(a, 5)
c = tf.layers.dense(b, 10)
loss = tf.losses.softmax_cross_entropy(y, c)
