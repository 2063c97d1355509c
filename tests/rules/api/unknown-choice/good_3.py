import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, Input, Dropout, LSTM
c = Conv2D(4, 3, padding='same')
