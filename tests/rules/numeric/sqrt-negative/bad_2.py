import tensorflow as tf
w = tf.Variable(tf.zeros([4]))
y = tf.sqrt(w)
