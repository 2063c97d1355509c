from keras.layers import Dense, GRU
from keras.models import Sequential

model = Sequential()
model.add(GRU(16, activation='exponential', input_shape=(5, 2)))
model.add(Dense(1))
model.compile('adam', 'mse')
