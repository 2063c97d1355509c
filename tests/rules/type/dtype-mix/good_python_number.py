import tensorflow as tf

x = tf.cast(tf.constant([1, 2]), tf.float32)
a = tf.math.log(2.) / tf.math.log(x + 2)
b = tf.sqrt(3.0) * x + tf.reduce_sum([1.0, 2.0])
c = tf.maximum(1.0, 2.0) * x / tf.divide(1.0, 3.0)
