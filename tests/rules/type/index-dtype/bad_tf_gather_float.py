import numpy as np
import tensorflow as tf

x = tf.zeros([5, 2])
y = tf.gather(x, tf.constant([0.0, 1.0]))
