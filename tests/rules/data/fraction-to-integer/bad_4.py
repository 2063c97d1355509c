from keras.datasets import mnist
from keras.layers import Activation, Dense
from keras.models import Sequential
from keras.utils import to_categorical

(x_train, y_train), (x_test, y_test) = mnist.load_data()
x_train = x_train.reshape(60000, 784).astype("float32") // 255
y_train = to_categorical(y_train)
model = Sequential()
model.add(Dense(128, activation="relu", input_shape=(784,)))
model.add(Dense(10))
model.add(Activation("softmax"))
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, epochs=5, batch_size=128)
