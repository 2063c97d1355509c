import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
keep = tf.placeholder(tf.float32)
w = tf.Variable(tf.random_normal([4, 1]))
guess = tf.matmul(tf.nn.dropout(x, keep), w)
loss = tf.reduce_mean(tf.square(guess - y))
step = tf.train.AdamOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(1000):
        rows = np.random.rand(32, 4)
        _, now = session.run((step, loss), feed_dict={x: rows, y: rows[:, :1]})
