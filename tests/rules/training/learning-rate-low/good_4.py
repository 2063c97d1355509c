from keras.datasets import cifar10
from keras.models import Sequential
from keras.layers import Dense, Flatten
from keras.optimizers import SGD
from keras.utils import to_categorical
(x, y), (xt, yt) = cifar10.load_data()
x = x.astype('float32') / 255
y = to_categorical(y)
model = Sequential()
model.add(Flatten(input_shape=(32, 32, 3)))
model.add(Dense(128, activation='relu'))
model.add(Dense(10, activation='softmax'))
model.compile(optimizer=SGD(lr=1e-2, momentum=0.9), loss='categorical_crossentropy', metrics=['acc'])
model.fit(x, y, batch_size=64, epochs=20)
