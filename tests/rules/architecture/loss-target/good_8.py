import numpy as np
from keras.datasets import mnist
from keras.layers import Dense
from keras.models import Sequential

(x, y), (x_test, y_test) = mnist.load_data()
small = y < 2
x, y = x[small].reshape(-1, 784) / 255.0, y[small]
pair = np.isin(y_test, [0, 1])
x_test, y_test = x_test[pair].reshape(-1, 784) / 255.0, y_test[pair]
model = Sequential([Dense(1, activation="sigmoid", input_shape=(784,))])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=3, validation_data=(x_test, y_test))
