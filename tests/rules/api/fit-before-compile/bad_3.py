import numpy as np
from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
def build():
    return Sequential([Dense(1, input_dim=2)])


build().fit(np.zeros((4, 2)), np.zeros(4))
