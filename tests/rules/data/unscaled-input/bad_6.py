from keras.preprocessing.image import ImageDataGenerator
from keras.models import Sequential
from keras.layers import Dense, Flatten, Conv2D, MaxPooling2D
gen = ImageDataGenerator(rotation_range=30, horizontal_flip=True)
train = gen.flow_from_directory('train', target_size=(64, 64), class_mode='binary')
model = Sequential([Conv2D(32, 3, activation='relu', input_shape=(64, 64, 3)), MaxPooling2D(), Flatten(), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
model.fit_generator(train, steps_per_epoch=100, epochs=10)
