import numpy as np
import tensorflow as tf

logits = tf.placeholder(tf.float32, [None, 10])
y = tf.placeholder(tf.int32, [None])
correct = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), y)
