import tensorflow as tf
slim = tf.contrib.slim
x = tf.placeholder(tf.float32, [None, 4])
def net(x, train, reuse=None):
    return slim.fully_connected(x, 3, normalizer_fn=slim.batch_norm, normalizer_params={'is_training': train}, reuse=reuse, scope='a')
a = net(x, True)
b = net(x, False, reuse=True)
