import tensorflow as tf

weight = tf.Variable(1.0)


@tf.function
def step(x, epoch):
    weight.assign_sub(0.01 * x / (1 + epoch))


for epoch in range(100):
    step(tf.constant(2.0), tf.constant(epoch, tf.float32))
