import tensorflow as tf
emb = tf.Variable(tf.random_uniform([1000, 64], -1.0, 1.0))
norm = tf.sqrt(tf.reduce_sum(tf.square(emb), 1, keep_dims=True))
normalized = emb / norm
