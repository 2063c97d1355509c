import tensorflow as tf
slim = tf.contrib.slim
x = tf.placeholder(tf.float32, [None, 4])
def net(x, training, reuse=None):
    with tf.variable_scope('n', reuse=reuse):
        return tf.contrib.layers.batch_norm(x, is_training=training)
a = net(x, True)
b = net(x, False, reuse=True)
