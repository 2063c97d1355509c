import numpy as np
import tensorflow as tf
v = tf.Variable(np.zeros((4,)))
v.assign(np.ones((4,)))
