import tensorflow as tf
v1 = tf.compat.v1
x = v1.placeholder(tf.float32, [None, 3])
