import tensorflow as tf

(x, y), _ = tf.keras.datasets.mnist.load_data()
rows = tf.data.Dataset.from_tensor_slices((x / 255.0, y)).shuffle(10000).batch(64)
model = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(28, 28)), tf.keras.layers.Dense(10)])
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
for epoch in range(5):
    for images, labels in rows:
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(images, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
    print(epoch, float(loss))
