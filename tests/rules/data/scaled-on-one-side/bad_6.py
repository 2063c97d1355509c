from keras.datasets import cifar10
from keras.layers import Conv2D, Dense, GlobalAveragePooling2D
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator

(x_train, y_train), (x_test, y_test) = cifar10.load_data()
model = Sequential()
model.add(Conv2D(32, 3, activation='relu', input_shape=(32, 32, 3)))
model.add(GlobalAveragePooling2D())
model.add(Dense(10, activation='softmax'))
model.compile('adam', 'sparse_categorical_crossentropy')
gen = ImageDataGenerator(featurewise_center=True, featurewise_std_normalization=True)
gen.fit(x_train)
model.fit(gen.flow(x_train, y_train, batch_size=64), epochs=20, validation_data=(x_test, y_test))
