import tensorflow as tf

weight = tf.Variable(1.0)


@tf.function
def step(x, size):
    weight.assign_sub(size * x)


for size in [0.1, 0.2, 0.3]:
    step(tf.constant(2.0), tf.constant(size))
