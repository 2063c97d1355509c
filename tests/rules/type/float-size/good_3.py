import numpy as np
import tensorflow as tf
x = tf.reshape(tf.zeros([4]), [2, 8 // 4])
