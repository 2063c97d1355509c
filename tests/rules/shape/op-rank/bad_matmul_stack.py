import tensorflow as tf

x = tf.placeholder(tf.float32, shape=(None, 1795, 13))
u = tf.Variable(tf.truncated_normal(shape=(13, 5), stddev=0.1))
y = tf.matmul(x, u)
