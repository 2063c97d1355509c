import numpy as np
import tensorflow as tf

a = tf.random.normal((4, 8))
w = tf.Variable(tf.random.normal((4, 3)))
y = a @ w
