from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
model = Sequential()
model.add(LSTM(16, input_shape=(7, 4)))
model.add(Dense(8))
