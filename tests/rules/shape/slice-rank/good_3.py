import numpy as np
import tensorflow as tf
x = tf.ones([2, 3])
y = tf.slice(x, [1, 0], [1, 3])
