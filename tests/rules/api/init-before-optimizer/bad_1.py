import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.zeros([3, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
sess = tf.Session()
d = np.ones((2, 3))
sess.run(tf.global_variables_initializer())
train = tf.train.AdamOptimizer(0.1).minimize(loss)
sess.run(train, {x: d})
