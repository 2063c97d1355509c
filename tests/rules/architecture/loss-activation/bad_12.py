from keras.models import Sequential
from keras.layers import Dense, LeakyReLU
d = Sequential()
d.add(Dense(512, input_shape=(784,)))
d.add(LeakyReLU(0.2))
d.add(Dense(256))
d.add(LeakyReLU(0.2))
d.add(Dense(1, activation='tanh'))
d.compile(loss='binary_crossentropy', optimizer='adam', metrics=['accuracy'])
