from keras.models import Sequential
from keras.layers import Conv2D, MaxPooling2D, GlobalAveragePooling2D, Flatten, Dense

model = Sequential()
model.add(Conv2D(16, 3, activation='relu', input_shape=(32, 32, 3)))
model.add(MaxPooling2D())
model.add(Dense(1, activation='sigmoid'))
model.compile('adam', 'binary_crossentropy')
