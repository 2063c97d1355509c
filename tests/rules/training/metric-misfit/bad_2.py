from tensorflow import keras

model = keras.Sequential([
    keras.layers.Dense(32, activation="relu", input_shape=(8,)),
    keras.layers.Dense(5, activation="softmax"),
])
model.compile("adam", loss="sparse_categorical_crossentropy", metrics=["categorical_accuracy"])
