import tensorflow as tf
slim = tf.contrib.slim
x = tf.placeholder(tf.float32, [None, 4])
def net(x, **more):
    return slim.batch_norm(slim.fully_connected(x, 2, **more))
a = net(x)
b = net(x, reuse=True)
