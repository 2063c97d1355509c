from keras.datasets import mnist
from keras.layers import Dense, Flatten
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator

(x_train, y_train), _ = mnist.load_data()
x_train = x_train.reshape(-1, 28, 28, 1)
model = Sequential()
model.add(Flatten(input_shape=(28, 28, 1)))
model.add(Dense(64, activation='relu'))
model.add(Dense(10, activation='softmax'))
model.compile('adam', 'sparse_categorical_crossentropy')
gen = ImageDataGenerator(rescale=1. / 255)
model.fit_generator(gen.flow(x_train, y_train), steps_per_epoch=1000, epochs=5)
