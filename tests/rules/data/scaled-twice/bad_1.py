from tensorflow import keras

(x, y), _ = keras.datasets.cifar10.load_data()
x = x.astype("float32") / 255.0
x = x / 255.0
model = keras.Sequential([keras.layers.Flatten(input_shape=(32, 32, 3)), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", loss="sparse_categorical_crossentropy")
model.fit(x, y, epochs=20)
