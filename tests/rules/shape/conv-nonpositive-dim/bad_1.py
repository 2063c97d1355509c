from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
model = Sequential()
model.add(Conv2D(32, (3, 3), input_shape=(1, 20, 56)))
