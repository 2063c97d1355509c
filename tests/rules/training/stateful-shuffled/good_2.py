import tensorflow as tf

words = tf.data.Dataset.from_tensor_slices(numbers).batch(65, drop_remainder=True)
pairs = words.map(lambda w: (w[:-1], w[1:])).batch(32, drop_remainder=True)
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(100, 32, batch_input_shape=[32, None]),
    tf.keras.layers.GRU(128, return_sequences=True, stateful=True),
    tf.keras.layers.Dense(100, activation="softmax"),
])
model.compile("adam", loss="sparse_categorical_crossentropy")
model.fit(pairs, epochs=10)
