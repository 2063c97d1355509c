import numpy as np
import tensorflow as tf
logits = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 3])
n = tf.placeholder(tf.int32, [None])
l = tf.nn.sparse_softmax_cross_entropy_with_logits(logits, n)
