import tensorflow as tf


def project(x, scope):
    with tf.variable_scope(scope):
        w = tf.get_variable('w', [8, 4])
        return tf.matmul(x, w)


left = tf.placeholder(tf.float32, [None, 8])
right = tf.placeholder(tf.float32, [None, 8])
a = project(left, 'left')
b = project(right, 'right')
