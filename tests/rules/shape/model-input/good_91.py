from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

images = pictures.reshape(pictures.shape[0], 48, 48, 1).astype('float32') / 255
model = Sequential()
model.add(Conv2D(8, 3, activation='relu', input_shape=(48, 48, 1)))
model.add(Flatten())
model.add(Dense(4, activation='softmax'))
model.compile(loss='sparse_categorical_crossentropy', optimizer='adam')
model.fit(images, kinds, epochs=5)
