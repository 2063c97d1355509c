import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
p = tf.nn.sigmoid(tf.layers.dense(x, 1))
answer = tf.cast(tf.round(p), tf.int32)
