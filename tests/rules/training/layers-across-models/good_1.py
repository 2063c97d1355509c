from tensorflow import keras

for rate in (0.1, 0.01, 0.001):
    layers = [keras.layers.Dense(32, activation="relu", input_shape=(10,)), keras.layers.Dense(1)]
    model = keras.Sequential(layers)
    model.compile(keras.optimizers.SGD(rate), loss="mse")
    model.fit(x, y, epochs=20)
    print(rate, model.evaluate(x_test, y_test))
