from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
model = Sequential([Conv2D(8, 5, input_shape=(8, 8, 1)), MaxPooling2D(8)])
