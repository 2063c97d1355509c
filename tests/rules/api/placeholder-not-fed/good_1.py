import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.zeros([4, 2]))
out = tf.matmul(x, w)
loss = tf.reduce_mean(tf.square(out - y))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(out, feed_dict={x: [[1., 2., 3., 4.]]}))
