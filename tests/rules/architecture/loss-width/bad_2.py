from keras.models import Sequential
from keras.layers import Activation, BatchNormalization, Conv2D, Dense, Flatten, MaxPooling2D
model = Sequential()
model.add(Dense(8, input_dim=4, activation='tanh'))
model.add(Dense(1))
model.add(Activation('sigmoid'))
model.compile(loss='sparse_categorical_crossentropy', optimizer='adam')
