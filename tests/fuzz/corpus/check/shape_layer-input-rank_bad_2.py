from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
model = Sequential()
model.add(Dense(8, input_dim=4))
model.add(LSTM(16))
