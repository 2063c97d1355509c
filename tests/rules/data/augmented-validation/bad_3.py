from keras.preprocessing.image import ImageDataGenerator
from keras.models import Sequential
from keras.layers import Dense, Flatten, Conv2D, MaxPooling2D

train_images = ImageDataGenerator(rescale=1 / 255, vertical_flip=True)
valid_images = ImageDataGenerator(rescale=1 / 255, width_shift_range=0.1)
train = train_images.flow_from_directory('train', target_size=(64, 64), class_mode='binary')
valid = valid_images.flow_from_directory('valid', target_size=(64, 64), class_mode='binary')
model = Sequential([Conv2D(8, 3, activation='relu', input_shape=(64, 64, 3)), MaxPooling2D(4), Flatten(), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy')
model.fit_generator(train, steps_per_epoch=10, epochs=5, validation_data=valid, validation_steps=2)
