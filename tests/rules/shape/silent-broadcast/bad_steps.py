import numpy as np
from keras.layers import LSTM, Dense, TimeDistributed
from keras.models import Sequential

model = Sequential([LSTM(128, input_shape=(32, 3), return_sequences=True), TimeDistributed(Dense(1))])
model.compile(loss="mse", optimizer="rmsprop")
model.fit(np.zeros((100, 32, 3)), np.zeros((100, 1)), epochs=5)
