import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, MaxPooling2D, Flatten, LSTM, Embedding, Input, Dropout, GRU, concatenate, TimeDistributed

a = Input(shape=(28, 28, 3))
b = Input(shape=(28, 28, 5))
x = concatenate([a, b], axis=-1)
