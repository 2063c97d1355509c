import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.random_normal([20, 3], stddev=0.1))
b = tf.Variable(tf.zeros([3]))
out = tf.matmul(x, w) + b
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=out, logits=y))
