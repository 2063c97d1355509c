import tensorflow as tf
w = tf.Variable(tf.ones((2, 2)))
x = tf.ones((2, 2))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.matmul(x, w))
g = tape.gradient(loss, [w])
