import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 28, 28, 1])
w = tf.Variable(tf.truncated_normal([5, 5, 1, 32]))
h = tf.nn.max_pool(tf.nn.relu(tf.nn.conv2d(x, w, [1, 1, 1, 1], 'SAME')), [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')
w2 = tf.Variable(tf.truncated_normal([7 * 7 * 32, 10]))
y = tf.matmul(tf.reshape(h, [-1, 14 * 14 * 32]), w2)
