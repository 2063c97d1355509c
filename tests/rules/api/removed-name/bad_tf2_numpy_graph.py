import numpy as np
import tensorflow as tf

@tf.function
def f(x):
    return tf.placeholder(tf.float32, [None])
f(tf.zeros([2]))
