import tensorflow as tf

base = tf.keras.applications.MobileNetV2(input_shape=(96, 96, 3), include_top=False)
model = tf.keras.Sequential([base, tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(5)])
optimizer = tf.keras.optimizers.Adam(1e-4)
compare = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

for images, labels in pictures:
    with tf.GradientTape() as tape:
        scores = model(images)
        loss = compare(labels, scores)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
