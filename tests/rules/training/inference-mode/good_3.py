import tensorflow as tf

# The picture is changed, not the network.
vgg = tf.keras.applications.ResNet50(include_top=False)
picture = tf.Variable(tf.random.uniform((1, 224, 224, 3)))
optimizer = tf.keras.optimizers.Adam(0.01)
for _ in range(100):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(vgg(picture))
    grads = tape.gradient(loss, [picture])
    optimizer.apply_gradients(zip(grads, [picture]))

# Nothing here asks for the mode.
plain = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(1)])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(plain(tf.ones((2, 4)))))
grads = tape.gradient(loss, plain.trainable_variables)
optimizer.apply_gradients(zip(grads, plain.trainable_variables))
