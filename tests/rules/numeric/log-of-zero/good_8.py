import tensorflow as tf
def generator(z):
    with tf.variable_scope('g'):
        h = tf.layers.dense(z, 128, tf.nn.relu)
        return tf.layers.dense(h, 784, tf.nn.sigmoid)
def discriminator(x, reuse=None):
    with tf.variable_scope('d', reuse=reuse):
        h = tf.layers.dense(x, 128, tf.nn.relu)
        return tf.layers.dense(h, 1, tf.nn.sigmoid)
X = tf.placeholder(tf.float32, [None, 784])
Z = tf.placeholder(tf.float32, [None, 100])
d_real = discriminator(X)
d_fake = discriminator(generator(Z), reuse=True)
d_loss = -tf.reduce_mean(tf.log(d_real + 1e-6) + tf.log(1. - d_fake + 1e-6))
g_loss = -tf.reduce_mean(tf.log(d_fake + 1e-6))
