import tensorflow as tf
opt = tf.train.AdamOptimizer(1e-4)
