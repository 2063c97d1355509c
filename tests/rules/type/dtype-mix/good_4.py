import numpy as np
import tensorflow as tf

slope = tf.Variable(np.random.uniform())
start = tf.Variable(np.random.uniform(1, 10))
x = tf.placeholder(tf.float32, [None])
y = slope * x + start
