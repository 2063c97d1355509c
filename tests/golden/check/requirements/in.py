import tensorflow as tf
s = tf.Session()
