import tensorflow as tf
w = tf.Variable(tf.zeros([4]))
y = tf.acos(0.9 * tf.tanh(w))
