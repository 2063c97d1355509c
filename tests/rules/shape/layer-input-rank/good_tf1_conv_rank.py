import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784])
w = tf.Variable(tf.truncated_normal([5, 5, 1, 32]))
c = tf.nn.conv2d(tf.reshape(x, [-1, 28, 28, 1]), w, strides=[1, 1, 1, 1], padding='SAME')
