import numpy as np
import tensorflow as tf
x = tf.constant([1, 2, 3])
x[1] = 5
