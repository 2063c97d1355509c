from keras.models import Sequential
from keras.layers import Activation, BatchNormalization, Conv2D, Dense, Flatten, MaxPooling2D
model = Sequential()
model.add(Conv2D(8, 3, input_shape=(8, 8, 1), activation='relu', kernel_initializer='ones'))
model.add(Flatten())
model.add(Dense(1))
