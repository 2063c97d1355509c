from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator

train = ImageDataGenerator(rescale=1 / 255).flow_from_directory(
    'train', target_size=(64, 64), class_mode='binary')
model = Sequential([Conv2D(16, 3, activation='relu', input_shape=(64, 64, 3)), Flatten(),
                    Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
model.fit(train, epochs=20)
