import numpy as np
from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
m = Sequential([Dense(10, activation="softmax", input_dim=4)])
m.compile("adam", "sparse_categorical_crossentropy")
m.fit(np.zeros((100, 4)), np.zeros((100, 10)))
