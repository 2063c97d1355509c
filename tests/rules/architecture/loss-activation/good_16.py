import numpy as np
from keras.models import Sequential
from keras.layers import LSTM, Dense, Dropout, Activation
maxlen, chars = 40, 57
x = np.zeros((1000, maxlen, chars), dtype=bool)
y = np.zeros((1000, chars), dtype=bool)
model = Sequential()
model.add(LSTM(128, input_shape=(maxlen, chars)))
model.add(Dense(chars))
model.add(Activation('softmax'))
model.compile(loss='categorical_crossentropy', optimizer='rmsprop')
model.fit(x, y, batch_size=128, epochs=60)
