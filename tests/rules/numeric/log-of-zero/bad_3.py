import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.zeros([4, 1]))
p = tf.nn.sigmoid(tf.matmul(tf.nn.dropout(x, 0.5), w))
loss = -tf.reduce_mean(tf.log(1 - p))
