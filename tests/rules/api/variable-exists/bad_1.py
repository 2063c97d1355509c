import tensorflow as tf


def project(x):
    w = tf.get_variable('w', [8, 4])
    return tf.matmul(x, w)


left = tf.placeholder(tf.float32, [None, 8])
right = tf.placeholder(tf.float32, [None, 8])
a = project(left)
b = project(right)
