from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
model = Sequential([LSTM(8, return_sequences=True, input_shape=(5, 3)), LSTM(4)])
