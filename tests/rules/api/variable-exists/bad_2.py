import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 8])
with tf.variable_scope('layer'):
    w = tf.get_variable('kernel', [8, 8])
    h = tf.matmul(x, w)
with tf.variable_scope('layer'):
    v = tf.get_variable('kernel', [8, 8])
    h = tf.matmul(h, v)
