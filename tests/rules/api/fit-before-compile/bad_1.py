import numpy as np
from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
m = Sequential([Dense(1, input_dim=2)])
m.fit(np.zeros((4, 2)), np.zeros(4))
