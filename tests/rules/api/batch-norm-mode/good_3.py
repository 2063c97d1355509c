import tensorflow as tf
slim = tf.contrib.slim
x = tf.placeholder(tf.float32, [None, 4])
y = slim.batch_norm(x)
