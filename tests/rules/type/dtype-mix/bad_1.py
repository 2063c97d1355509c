import numpy as np
import tensorflow as tf
c = tf.constant([1, 2]) + tf.constant([1.0, 2.0])
