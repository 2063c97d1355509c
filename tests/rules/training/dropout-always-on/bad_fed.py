import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 1])
keep = tf.placeholder(tf.float32)
hidden = tf.nn.dropout(tf.layers.dense(x, 64, activation=tf.nn.relu), keep)
loss = tf.reduce_mean(tf.square(tf.layers.dense(hidden, 1) - y))
train = tf.train.AdamOptimizer(0.001).minimize(loss)
rows, values = np.random.rand(500, 20), np.random.rand(500, 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(1000):
        sess.run(train, feed_dict={x: rows, y: values, keep: 0.5})
    print(sess.run(loss, feed_dict={x: rows, y: values, keep: 0.5}))
