from tensorflow import keras

model = keras.Sequential([
    keras.layers.Dense(64, activation="relu", input_shape=(20,)),
    keras.layers.Dense(5),
])
model.compile("adam", loss=keras.losses.CategoricalCrossentropy(from_logits=True))
model.fit(rows, kinds, epochs=10)
