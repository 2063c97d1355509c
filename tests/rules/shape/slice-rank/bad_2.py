import numpy as np
import tensorflow as tf
x = tf.zeros([4])
y = tf.slice(x, [0, 0], [1, 1])
