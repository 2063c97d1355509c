import tensorflow as tf
a = tf.placeholder(tf.float32, [None, 128])
b = tf.placeholder(tf.float32, [None, 128])
label = tf.placeholder(tf.float32, [None])
W = tf.Variable(tf.truncated_normal([128, 32], stddev=0.1))
d = tf.sqrt(tf.reduce_sum(tf.square(tf.matmul(a, W) - tf.matmul(b, W)), 1))
loss = tf.reduce_mean(label * tf.square(d) + (1 - label) * tf.square(tf.maximum(1.0 - d, 0)))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
