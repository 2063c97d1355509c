import numpy as np
import tensorflow as tf
x = tf.Variable([1, 2, 3])
x[1].assign(5)
