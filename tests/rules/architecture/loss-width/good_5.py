import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 30])
y = tf.placeholder(tf.float32, [None, 1])
W = tf.Variable(tf.zeros([30, 1]))
b = tf.Variable(tf.zeros([1]))
logits = tf.matmul(x, W) + b
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
