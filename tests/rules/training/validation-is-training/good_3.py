from keras.datasets import mnist
from keras.models import Sequential
from keras.layers import Dense, Flatten

(x_train, y_train), (x_test, y_test) = mnist.load_data()
x_train, x_test = x_train / 255.0, x_test / 255.0
model = Sequential([Flatten(input_shape=(28, 28)), Dense(64, activation='relu'), Dense(10, activation='softmax')])
model.compile('adam', 'sparse_categorical_crossentropy')
model.fit(x_train, y_train, epochs=5, validation_data=(x_test, y_test))
