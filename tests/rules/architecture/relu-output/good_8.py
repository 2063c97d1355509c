import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu", input_shape=(64, 64, 3)),
    tf.keras.layers.Conv2D(4, 1),
])
model.compile("adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
