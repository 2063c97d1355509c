import tensorflow as tf
d = tf.keras.layers.Dense(3)
for i in range(3):
    y = d(tf.ones((2, 2)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(y * y)
    g = tape.gradient(loss, d.trainable_variables)
