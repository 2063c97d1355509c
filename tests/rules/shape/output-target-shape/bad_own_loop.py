import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation='relu'), tf.keras.layers.Dense(10)])
judge = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
(x, y), _ = tf.keras.datasets.mnist.load_data()
for images, labels in tf.data.Dataset.from_tensor_slices((x / 255.0, y)).batch(32):
    with tf.GradientTape() as tape:
        loss = judge(labels, model(images))
    weights = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
