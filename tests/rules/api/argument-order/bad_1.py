import numpy as np
import tensorflow as tf
x = tf.concat(0, [tf.zeros([2]), tf.zeros([2])])
