from keras.preprocessing.image import ImageDataGenerator
from keras.models import Sequential
from keras.layers import Dense, Flatten, Conv2D, MaxPooling2D

images = ImageDataGenerator(rescale=1 / 255, zoom_range=0.2, shear_range=0.2)
train = images.flow_from_directory('train', target_size=(64, 64), class_mode='binary')
valid = ImageDataGenerator(rescale=1 / 255).flow_from_directory('valid', target_size=(64, 64), class_mode='binary')
model = Sequential([Conv2D(8, 3, activation='relu', input_shape=(64, 64, 3)), MaxPooling2D(4), Flatten(), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy')
model.fit(train, epochs=5, validation_data=valid)
