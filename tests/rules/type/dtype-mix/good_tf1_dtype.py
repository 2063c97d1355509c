import numpy as np
import tensorflow as tf

a = tf.constant([1.0, 2, 3])
b = tf.constant([1.0, 2.0, 3.0])
c = a + b
