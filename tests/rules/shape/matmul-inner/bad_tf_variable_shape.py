import numpy as np
import tensorflow as tf

w = tf.Variable(tf.zeros([10, 5]))
x = tf.zeros([3, 5])
y = tf.matmul(x, w)
