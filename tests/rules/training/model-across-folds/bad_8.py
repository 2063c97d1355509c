import tensorflow as tf
from sklearn.model_selection import KFold

x = tf.placeholder(tf.float32, [None, 8])
y = tf.placeholder(tf.float32, [None, 1])
out = tf.layers.dense(tf.layers.dense(x, 16, activation=tf.nn.relu), 1)
loss = tf.reduce_mean(tf.square(out - y))
step = tf.train.AdamOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for train, test in KFold(5).split(data):
        for _ in range(200):
            sess.run(step, feed_dict={x: data[train], y: target[train]})
        scores.append(sess.run(loss, feed_dict={x: data[test], y: target[test]}))
