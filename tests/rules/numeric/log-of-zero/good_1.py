import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.zeros([4, 3]))
p = tf.nn.softmax(tf.matmul(x, w))
loss = -tf.reduce_sum(tf.log(tf.clip_by_value(p, 1e-8, 1.0)))
