import numpy as np
import tensorflow as tf
v = tf.Variable(tf.zeros([3, 2]))
v.assign(tf.ones([3, 2]))
