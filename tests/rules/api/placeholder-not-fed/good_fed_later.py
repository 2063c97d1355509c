import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
scaled = x / 255.0
w = tf.Variable(tf.random_normal([4, 3]))
out = tf.nn.softmax(tf.matmul(scaled, w))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    first = sess.run(out, {scaled: np.ones((2, 4))})
    second = sess.run(out, {x: np.ones((2, 4))})
    print(sess.run(tf.argmax(first, 1)), sess.run(tf.argmax(second, 1)))
