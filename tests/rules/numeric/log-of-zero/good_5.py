import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 10])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.zeros([10, 1]))
z = tf.matmul(x, w)
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=z))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
