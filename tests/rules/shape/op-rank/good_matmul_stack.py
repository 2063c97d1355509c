import tensorflow as tf

x = tf.placeholder(tf.float32, shape=(None, 1795, 13))
u = tf.Variable(tf.truncated_normal(shape=(13, 5), stddev=0.1))
y = tf.tensordot(x, u, axes=1)
z = tf.reshape(tf.matmul(tf.reshape(x, [-1, 13]), u), [-1, 1795, 5])
