import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
pred = tf.layers.dense(x, 1)
loss = tf.losses.mean_squared_error(y, pred)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    data, target = np.random.rand(32, 4), np.random.rand(32, 1)
    for step in range(1000):
        sess.run(train, feed_dict={x: data, y: target})
        print(sess.run(tf.reduce_mean(pred), feed_dict={x: data}))
