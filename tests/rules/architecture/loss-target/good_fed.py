import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.random_normal([4, 1], stddev=0.1))
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=tf.matmul(x, w), labels=y))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
xs, ys = np.random.rand(100, 4), np.random.randint(0, 2, (100, 1))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1000):
        sess.run(train, feed_dict={x: xs, y: ys})
