import numpy as np
import tensorflow as tf
x = tf.zeros([4, 5, 6])
y = tf.slice(x, [0, 0], [2, 2])
