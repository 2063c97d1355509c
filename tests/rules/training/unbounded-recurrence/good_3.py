from keras.layers import Input, LSTM, Dense
from keras.models import Model

inputs = Input(shape=(30, 8))
state = LSTM(64)(inputs)
model = Model(inputs, Dense(1)(state))
model.compile('adam', 'mse')
