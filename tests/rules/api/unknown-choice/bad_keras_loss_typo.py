import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, MaxPooling2D, Flatten, LSTM, Embedding, Input, Dropout, GRU, concatenate, TimeDistributed

model = Sequential([Dense(1, input_shape=(4,))])
model.compile(loss='mean_square_error', optimizer='adam')
