from keras.models import Sequential
from keras.layers import Activation, BatchNormalization, Conv2D, Dense, Flatten, MaxPooling2D
model = Sequential()
model.add(Flatten(input_shape=(28, 28)))
model.add(Dense(32, activation='relu'))
model.add(Dense(10, activation='softmax'))
model.compile(loss='sparse_categorical_crossentropy', optimizer='adam')
from keras.datasets import mnist
(x, y), (xt, yt) = mnist.load_data()
x = x / 255.0
y = y.astype('float32') / 9
model.fit(x, y)
