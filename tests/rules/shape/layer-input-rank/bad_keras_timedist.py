import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, MaxPooling2D, Flatten, LSTM, Embedding, Input, Dropout, GRU, concatenate, TimeDistributed

model = Sequential()
model.add(LSTM(16, input_shape=(5, 3)))
model.add(TimeDistributed(Dense(4)))
