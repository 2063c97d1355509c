import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 28, 28])
y = tf.reshape(x, [-1, 100])
