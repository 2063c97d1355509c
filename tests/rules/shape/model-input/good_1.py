import numpy as np
from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
m = Sequential([Dense(4, input_shape=(10,)), Dense(1)])
m.compile("sgd", "mse")
m.fit(np.zeros((50, 10)), np.zeros((50, 1)))
