import numpy as np
from keras.models import Sequential, Model
from keras.layers import *

model = Sequential()
model.add(Dense(32, input_shape=(10,)))
model.add(GRU(16))
