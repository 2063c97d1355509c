import tensorflow as tf


def project(x):
    with tf.variable_scope('shared', reuse=tf.AUTO_REUSE):
        w = tf.get_variable('w', [8, 4])
    return tf.matmul(x, w)


a = project(tf.placeholder(tf.float32, [None, 8]))
b = project(tf.placeholder(tf.float32, [None, 8]))
