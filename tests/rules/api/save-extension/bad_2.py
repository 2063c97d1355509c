import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, Input, Dropout, LSTM
m = Sequential([Dense(1, input_shape=(4,))])
m.compile('adam', 'mse')
x, y = np.zeros((8, 4)), np.zeros(8)
for i in range(2):
    m.save(f'out/net{i}')
