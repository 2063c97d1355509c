import numpy as np
import tensorflow as tf
logits = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 3])
l = tf.nn.sigmoid_cross_entropy_with_logits(logits, y)
