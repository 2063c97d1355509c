import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
with tf.GradientTape() as tape:
    y = x * 2
