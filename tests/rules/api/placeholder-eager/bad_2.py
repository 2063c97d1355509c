import tensorflow as tf
v1 = tf.compat.v1
x = v1.placeholder(tf.int32, [None])
y = x + 1
