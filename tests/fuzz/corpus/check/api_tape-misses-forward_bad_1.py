import tensorflow as tf
m = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
x = tf.zeros((4, 2))
p = m(x)
with tf.GradientTape() as t:
    loss = tf.reduce_mean(tf.square(p))
g = t.gradient(loss, m.trainable_variables)
