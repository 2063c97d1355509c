import numpy as np
import tensorflow as tf
x_data = np.linspace(0, 1, 100).astype(np.float32)
y_data = 3 * x_data + 2
X = tf.placeholder(tf.float32)
Y = tf.placeholder(tf.float32)
W = tf.Variable(0.1)
b = tf.Variable(0.0)
pred = W * X + b
cost = tf.reduce_mean(tf.square(pred - Y))
train = tf.train.GradientDescentOptimizer(0.01).minimize(cost)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1000):
        sess.run(train, feed_dict={X: x_data, Y: y_data})
