from keras.models import Sequential
from keras.layers import BatchNormalization, Conv2D, Dense, Dropout, Flatten, MaxPooling2D
model = Sequential()
model.add(Conv2D(4, 3, activation='relu', input_shape=(9, 9, 1)))
model.add(MaxPooling2D())
model.add(Flatten())
model.add(Dense(1))
model.compile(loss='mse', optimizer='adam')
