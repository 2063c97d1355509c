from tensorflow import keras

(images, labels), _ = keras.datasets.mnist.load_data()
scaled = images / 255.0
print(images.shape, images.dtype)
model = keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)),
                          keras.layers.Dense(64, activation="relu"),
                          keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(scaled, labels, epochs=5)
