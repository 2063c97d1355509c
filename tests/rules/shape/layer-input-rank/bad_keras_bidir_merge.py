import numpy as np
from keras.models import Sequential, Model
from keras.layers import *

m = Sequential()
m.add(Embedding(100, 16, input_length=20))
m.add(Bidirectional(LSTM(8)))
m.add(LSTM(8))
