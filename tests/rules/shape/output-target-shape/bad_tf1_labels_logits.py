import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 5])
logits = tf.layers.dense(x, 4)
loss = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits)
