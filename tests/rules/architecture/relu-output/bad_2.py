from keras.models import Sequential
from keras.layers import Activation, BatchNormalization, Conv2D, Dense, Flatten, MaxPooling2D
model = Sequential()
model.add(Dense(8, input_dim=4, activation='relu'))
model.add(Dense(1))
model.add(Activation('relu'))
model.compile(loss='mean_absolute_error', optimizer='sgd')
