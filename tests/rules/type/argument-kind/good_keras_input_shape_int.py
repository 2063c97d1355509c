import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, MaxPooling2D, Flatten, LSTM, Embedding, Input, Dropout, GRU, concatenate, TimeDistributed

inp = Input(shape=(784,))
x = Dense(10)(inp)
model = Sequential([Dense(5, input_shape=(784,))])
