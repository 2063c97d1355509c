import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.zeros([2, 1]))
loss = tf.reduce_mean(tf.matmul(x, w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
saver = tf.train.Saver()
with tf.Session() as sess:
    saver.restore(sess, "m")
    sess.run(train, feed_dict={x: [[0.0, 2.0]]})
