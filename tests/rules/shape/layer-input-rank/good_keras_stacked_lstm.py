import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, MaxPooling2D, Flatten, LSTM, Embedding, Input, Dropout, GRU, concatenate, TimeDistributed

model = Sequential()
model.add(LSTM(32, return_sequences=True, input_shape=(10, 4)))
model.add(LSTM(16))
model.add(Dense(1))
