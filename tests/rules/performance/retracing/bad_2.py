import tensorflow as tf

weight = tf.Variable(1.0)
for size in [0.1, 0.2, 0.3]:
    @tf.function
    def step(x):
        weight.assign_sub(size * x)

    step(tf.constant(2.0))
