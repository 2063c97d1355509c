import numpy as np
import tensorflow as tf

a = tf.placeholder(tf.int64, [None])
b = tf.placeholder(tf.int64, [None])
acc = tf.reduce_mean(tf.cast(tf.equal(a, b), tf.float32))
