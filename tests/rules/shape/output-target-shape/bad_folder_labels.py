import tensorflow as tf

data = tf.keras.utils.image_dataset_from_directory("faces", label_mode="int", image_size=(48, 48))
model = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(48, 48, 3)), tf.keras.layers.Dense(2, activation="softmax")])
model.compile(optimizer="adam", loss="categorical_crossentropy")
model.fit(data, epochs=10)
