from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
model = Sequential()
model.add(Conv2D(64, (5, 5), input_shape=(28, 28, 1)))
