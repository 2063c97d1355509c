import numpy as np
import tensorflow as tf

@tf.function
def f(x):
    return tf.cast(x, tf.float32)
f(tf.zeros([2]))
