from tensorflow import keras

first = keras.Sequential([keras.layers.Dense(8, input_shape=(20,)), keras.layers.Dense(4)])
second = keras.Sequential([keras.layers.Dense(8, input_shape=(30,)), keras.layers.Dense(4)])
mean = keras.layers.average([first.output, second.output])
a = keras.Input(shape=(20,))
b = keras.Input(shape=(30,))
model = keras.Model(inputs=[a, b], outputs=keras.layers.Dense(1)(mean))
