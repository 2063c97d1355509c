import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, Input, Dropout, LSTM
i = Input(shape=(3,))
m = Model(i, Dense(5, activation='softmax')(i))
m.compile('sgd', 'binary_crossentropy', metrics=['acc'])
