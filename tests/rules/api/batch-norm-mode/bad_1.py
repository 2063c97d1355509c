import tensorflow as tf
slim = tf.contrib.slim
x = tf.placeholder(tf.float32, [None, 4])
def net(x, reuse=None):
    return slim.fully_connected(x, 3, normalizer_fn=slim.batch_norm, reuse=reuse, scope='a')
train = net(x)
test = net(x, reuse=True)
