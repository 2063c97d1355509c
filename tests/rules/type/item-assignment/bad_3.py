import numpy as np
import tensorflow as tf
y = tf.ones([4]) * 2
y[0] = 0.
