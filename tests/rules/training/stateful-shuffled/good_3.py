from tensorflow import keras

x = keras.Input(shape=(24, 3))
h = keras.layers.GRU(20)(x)
model = keras.Model(x, keras.layers.Dense(1)(h))
model.compile("rmsprop", loss="mae")
model.fit(windows, following, batch_size=8, epochs=100, shuffle=True)
