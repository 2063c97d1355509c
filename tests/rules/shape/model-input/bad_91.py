from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

images = pictures.astype('float32') / 255
images = images.reshape(-1, 48, 48)
model = Sequential()
model.add(Conv2D(8, 3, activation='relu', input_shape=(48, 48, 1)))
model.add(Flatten())
model.add(Dense(4, activation='softmax'))
model.compile(loss='sparse_categorical_crossentropy', optimizer='adam')
model.fit(images, kinds, epochs=5)
