import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.float32, [None, 10])
W1 = tf.Variable(tf.truncated_normal([784, 64], stddev=0.1))
W2 = tf.Variable(tf.truncated_normal([64, 10], stddev=0.1))
h = tf.nn.relu(tf.matmul(x, W1))
logits = tf.matmul(h, W2)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
