import numpy as np
import tensorflow as tf

k = np.zeros((2, 3))
try:
    k + [33, 44]
except ValueError as e:
    print(e)

try:
    tf.constant(2.0) + tf.constant(40)
except tf.errors.InvalidArgumentError as e:
    print(e)
