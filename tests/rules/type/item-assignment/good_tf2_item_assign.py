import numpy as np
import tensorflow as tf

x = tf.Variable(tf.zeros((3, 3)))
x[0, 0].assign(1.0)
