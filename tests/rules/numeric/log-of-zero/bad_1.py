import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.zeros([4, 3]))
p = tf.nn.softmax(tf.matmul(x, w))
loss = -tf.reduce_sum(tf.log(p))
