import numpy as np
import tensorflow as tf

o = tf.train.AdamOptimiser(0.001)
