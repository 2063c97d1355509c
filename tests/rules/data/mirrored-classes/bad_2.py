from keras.datasets import mnist
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator

(x_train, y_train), _ = mnist.load_data()
x_train = x_train.reshape(-1, 28, 28, 1).astype('float32') / 255
model = Sequential()
model.add(Conv2D(16, 3, strides=2, activation='relu', input_shape=(28, 28, 1)))
model.add(Flatten())
model.add(Dense(10, activation='softmax'))
model.compile('adam', 'sparse_categorical_crossentropy')
gen = ImageDataGenerator(rotation_range=10, horizontal_flip=True)
model.fit(gen.flow(x_train, y_train, batch_size=64), epochs=5)
