import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 10])
y = tf.placeholder(tf.float32, [None, 1])
W = tf.Variable(tf.truncated_normal([10, 1]))
pred = tf.nn.sigmoid(tf.matmul(x, W))
cost = tf.reduce_mean(tf.square(pred - y))
opt = tf.train.GradientDescentOptimizer(0.05).minimize(cost)
