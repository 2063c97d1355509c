import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, Input, Dropout, LSTM
m = Sequential([Dense(10, activation='softmax', input_shape=(4,))])
m.compile(loss='categorical_crossentropy', optimizer='adam', metrics=['accuracy'])
