import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 3])
y = tf.reduce_mean(x)
d = np.ones((2, 3))
sess = tf.Session()
v = sess.run(y, {x: d})
z = sess.run(y, {x: d})
