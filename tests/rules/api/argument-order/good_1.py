import numpy as np
import tensorflow as tf
x = tf.concat([tf.zeros([2]), tf.zeros([2])], 0)
