import tensorflow as tf
d = tf.keras.layers.Dense(1)


def grad(p):
    with tf.GradientTape() as t:
        loss = tf.reduce_sum(p)
    return t.gradient(loss, d.trainable_variables)


grad(d(tf.zeros((4, 2))))
