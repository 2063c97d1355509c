import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(5,))])
optimizer = tf.keras.optimizers.Adam()
x = tf.random.normal((16, 5))
y = tf.random.normal((16, 3))
with tf.GradientTape() as tape:
    out = model(x)
    loss = tf.reduce_mean(tf.square(out.numpy() - y))
grads = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(grads, model.trainable_variables))
