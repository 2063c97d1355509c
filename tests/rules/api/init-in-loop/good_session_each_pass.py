import tensorflow as tf
import numpy as np
x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.zeros([4, 1]))
y = tf.matmul(x, w)
for size in [1, 2, 4]:
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    for i in range(10):
        sess.run(y, feed_dict={x: np.zeros((size, 4))})
