import numpy as np
import tensorflow as tf

o = tf.train.AdamOptimizer(0.1)
