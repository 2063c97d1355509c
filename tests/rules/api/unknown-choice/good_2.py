import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, Input, Dropout, LSTM
m = Sequential([Dense(1, input_shape=(2,))])
m.compile(loss='mean_squared_error', optimizer='adam')
