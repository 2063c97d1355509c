from tensorflow import keras

model = keras.Sequential([
    keras.layers.Dense(16, activation="relu", input_shape=(8,)),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", loss="binary_crossentropy", metrics=[keras.metrics.Accuracy()])
