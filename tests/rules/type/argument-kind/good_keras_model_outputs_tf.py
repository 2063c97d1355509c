import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, MaxPooling2D, Flatten, LSTM, Embedding, Input, Dropout, GRU, concatenate, TimeDistributed

inp = Input(shape=(10,))
out = Dense(2)(inp)
model = Model(inputs=inp, outputs=out)
