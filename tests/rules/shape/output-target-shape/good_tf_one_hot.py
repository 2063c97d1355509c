import numpy as np
import tensorflow as tf

labels = tf.constant([1, 2, 3])
oh = tf.one_hot(labels, 4)
logits = tf.zeros([3, 4])
l = tf.nn.softmax_cross_entropy_with_logits(labels=oh, logits=logits)
