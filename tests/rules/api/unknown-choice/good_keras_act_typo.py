import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, MaxPooling2D, Flatten, LSTM, Embedding, Input, Dropout, GRU, concatenate, TimeDistributed

model = Sequential([Dense(8, activation='relu', input_shape=(4,)), Dense(1)])
