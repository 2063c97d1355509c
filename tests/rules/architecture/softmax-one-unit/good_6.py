import numpy as np
from keras.models import Sequential
from keras.layers import LSTM, Dense, TimeDistributed
x = np.random.rand(100, 10, 5)
y = np.random.randint(0, 2, (100, 10, 1))
model = Sequential()
model.add(LSTM(32, return_sequences=True, input_shape=(10, 5)))
model.add(TimeDistributed(Dense(1, activation='sigmoid')))
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=30)
