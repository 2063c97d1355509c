import numpy as np
import tensorflow as tf

xs, ys = np.loadtxt("xs.txt"), np.loadtxt("ys.txt")
X = tf.placeholder(tf.float32, [None, 3])
Y = tf.placeholder(tf.float32, [None, 1])
W = tf.Variable(tf.random_normal([3, 1]))
cost = tf.reduce_mean(tf.square(tf.matmul(X, W) - Y))
train = tf.train.GradientDescentOptimizer(0.001).minimize(cost)
init = tf.global_variables_initializer()
sess = tf.Session()
for step in range(2000):
    sess.run(train, {X: xs, Y: ys})
