import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 10])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.zeros([10, 1]))
p = tf.sigmoid(tf.matmul(x, w))
loss = -tf.reduce_mean(y * tf.log(p) + (1 - y) * tf.log(1 - p))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
