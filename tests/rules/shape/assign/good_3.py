import numpy as np
import tensorflow as tf
w = tf.Variable(tf.ones([8, 8]))
w.assign(tf.zeros([8, 8]))
