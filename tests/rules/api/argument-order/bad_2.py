import numpy as np
import tensorflow as tf
a = tf.zeros([1, 2])
x = tf.concat(1, [a, a])
