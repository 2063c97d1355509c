import tensorflow as tf
opt = tf.train.AdamOptimizer(3e-4)
