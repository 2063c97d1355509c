from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

model = Sequential()
model.add(Conv2D(32, (3, 3), strides=(5, 5), activation='relu', input_shape=(64, 64, 1)))
model.add(Flatten())
model.add(Dense(10, activation='softmax'))
