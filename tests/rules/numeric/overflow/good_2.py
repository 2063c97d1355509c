import tensorflow as tf

pixels = tf.random.uniform([32, 8], 0.0, 1e3)
half = tf.cast(pixels, tf.float16)
