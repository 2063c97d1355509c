import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, Input, Dropout, LSTM
m = Sequential()
m.add(Dense(8, activation='relu', input_shape=(4,)))
m.add(Dense(3, activation='softmax'))
m.compile(optimizer='adam', loss='binary_crossentropy', metrics=['accuracy'])
