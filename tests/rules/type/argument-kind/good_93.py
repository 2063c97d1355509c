import tensorflow as tf

net = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(6,))])
adam = tf.keras.optimizers.Adam()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(net(tf.ones((5, 6))))
grads = tape.gradient(loss, net.trainable_variables)
adam.apply_gradients(zip(grads, net.trainable_variables))
