import numpy as np
import tensorflow as tf

a = tf.zeros((3, 3))
print(tf.cholesky(a), tf.trace(a), tf.matrix_inverse(a))
print(tf.contrib.layers.layer_norm(a), tf.gfile.Glob('*'))
print(tf.image.resize_nearest_neighbor(tf.zeros((1, 4, 4, 3)), (2, 2)))
with tf.variable_scope('a', reuse=tf.AUTO_REUSE):
    print(np.NINF, np.sort(np.ones(3), axis=None))
