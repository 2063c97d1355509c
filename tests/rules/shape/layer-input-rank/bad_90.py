from keras.models import Sequential
from keras.layers import Conv2D, LSTM, TimeDistributed

model = Sequential()
model.add(TimeDistributed(Conv2D(8, (3, 3)), input_shape=(12, 40, 40, 1)))
model.add(LSTM(20))
