import tensorflow as tf

data = tf.keras.utils.image_dataset_from_directory("faces", label_mode="categorical", image_size=(48, 48))
model = tf.keras.Sequential([tf.keras.layers.Rescaling(1 / 255, input_shape=(48, 48, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(2, activation="softmax")])
model.compile(optimizer="adam", loss="categorical_crossentropy")
model.fit(data, epochs=10)
