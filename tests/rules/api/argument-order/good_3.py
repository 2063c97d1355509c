import numpy as np
import tensorflow as tf
def join(parts):
    return tf.concat(parts, 1)
join([tf.zeros([1, 2]), tf.zeros([1, 3])])
