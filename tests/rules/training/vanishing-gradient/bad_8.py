from keras.models import Sequential
from keras.layers import Conv2D, Flatten, Dense, MaxPooling2D
model = Sequential()
model.add(Conv2D(16, 3, activation='sigmoid', padding='same', input_shape=(32, 32, 3)))
for i in range(5):
    model.add(Conv2D(16, 3, activation='sigmoid', padding='same'))
model.add(MaxPooling2D(4))
model.add(Flatten())
model.add(Dense(10, activation='softmax'))
model.compile('sgd', 'categorical_crossentropy')
