import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation='relu'), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(learning_rate=0.005)
x, y = tf.random.normal((64, 8)), tf.random.normal((64, 1))
for step in range(100):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
