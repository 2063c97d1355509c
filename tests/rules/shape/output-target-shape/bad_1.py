import numpy as np
from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
m = Sequential([Conv2D(8, 3, padding="same", input_shape=(28, 28, 1)), Dense(10, activation="softmax")])
m.compile("adam", "sparse_categorical_crossentropy")
m.fit(np.zeros((100, 28, 28, 1)), np.zeros(100))
