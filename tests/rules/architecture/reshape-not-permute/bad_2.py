from keras.datasets import cifar10
from keras.models import Sequential
from keras.layers import Conv2D, Flatten, Dense

(x_train, y_train), (x_test, y_test) = cifar10.load_data()
x_train = x_train.reshape(x_train.shape[0], 3, 32, 32) / 255.0
model = Sequential([Conv2D(16, (3, 3), activation="relu", data_format="channels_first", input_shape=(3, 32, 32)),
                    Flatten(), Dense(10, activation="softmax")])
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
model.fit(x_train, y_train, epochs=2)
