import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
w1 = tf.Variable(tf.random_uniform([20, 64]))
w2 = tf.Variable(tf.random_uniform([64, 32]))
w3 = tf.Variable(tf.random_uniform([32, 1]))
h = tf.nn.relu(tf.matmul(x, w1))
h = tf.nn.relu(tf.matmul(h, w2))
out = tf.matmul(h, w3)
