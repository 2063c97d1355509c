import tensorflow as tf
slim = tf.contrib.slim
x = tf.placeholder(tf.float32, [None, 4])
def net(x, reuse=None):
    with tf.variable_scope('n', reuse=reuse):
        return tf.contrib.layers.batch_norm(x)
a = net(x)
b = net(x, reuse=True)
