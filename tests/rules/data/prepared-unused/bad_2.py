from tensorflow import keras

(images, labels), _ = keras.datasets.mnist.load_data()
scaled = images / 255.0
model = keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)),
                          keras.layers.Dense(64, activation="relu"),
                          keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(images, labels, epochs=5)
