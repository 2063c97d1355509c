import numpy as np
import tensorflow as tf

logits = tf.placeholder(tf.float32, [None, 10])
labels = tf.placeholder(tf.float32, [None, 10])
loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
