import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, Input, Dropout, LSTM
x, y = np.zeros((8, 4)), np.zeros((8, 1))
base = Sequential([Dense(6, activation='relu', input_shape=(4,))])
m = Sequential([base, Dense(1)])
base.trainable = False
m.compile('adam', 'mse')
m.fit(x, y)
base.trainable = True
m.compile('adam', 'mse')
m.fit(x, y)
