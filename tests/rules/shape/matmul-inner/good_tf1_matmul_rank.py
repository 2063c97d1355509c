import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 10, 8])
w = tf.Variable(tf.random_normal([8, 4]))
y = tf.matmul(tf.reshape(x, [-1, 8]), w)
