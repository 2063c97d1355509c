# TensorFlow 1: a graph and a session.
import numpy as np
import tensorflow as tf

xs = np.linspace(-1, 1, 300)[:, np.newaxis]
ys = np.square(xs) - 0.5 + np.random.normal(0, 0.05, xs.shape)
x = tf.placeholder(tf.float32, [None, 1])
y = tf.placeholder(tf.float32, [None, 1])
w1 = tf.Variable(tf.random_normal([1, 10]))
b1 = tf.Variable(tf.zeros([10]))
w2 = tf.Variable(tf.random_normal([10, 1]))
b2 = tf.Variable(tf.zeros([1]))
hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
answer = tf.matmul(hidden, w2) + b2
loss = tf.reduce_mean(tf.square(y - answer))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess.run(init)
    for step in range(1000):
        sess.run(train, feed_dict={x: xs, y: ys})
    print(sess.run(loss, feed_dict={x: xs, y: ys}))
