import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation='relu', input_shape=(8,)), tf.keras.layers.Dense(3, activation='softmax')])
loss_fn = tf.keras.losses.CategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam(1e-3)
x, y = tf.random.normal((64, 8)), tf.one_hot(tf.random.uniform((64,), 0, 3, tf.int32), 3)
for i in range(100):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    g = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
