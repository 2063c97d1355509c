import numpy as np
import tensorflow as tf
v = tf.Variable(tf.zeros([3, 2]))
v.assign(tf.zeros([2, 3]))
