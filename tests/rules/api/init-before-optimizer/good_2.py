import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.zeros([3, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
sess = tf.Session()
d = np.ones((2, 3))
sess.run(tf.global_variables_initializer())
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
for i in range(3):
    sess.run(step, {x: d})
