from keras.datasets import cifar10
from keras.models import Sequential
from keras.layers import Dense, Flatten, Conv2D, MaxPooling2D
from keras.optimizers import Adam
from keras.utils import to_categorical
(x, y), (xt, yt) = cifar10.load_data()
x = x.astype('float32') / 255
y = to_categorical(y)
model = Sequential()
model.add(Conv2D(32, 3, activation='relu', padding='same', input_shape=x.shape[1:]))
model.add(MaxPooling2D())
model.add(Flatten())
model.add(Dense(10, activation='softmax'))
model.compile(optimizer=Adam(0.1), loss='categorical_crossentropy', metrics=['acc'])
model.fit(x, y, batch_size=64, epochs=20)
