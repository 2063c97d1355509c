from keras.layers import Dense, LSTM
from keras.models import Sequential

model = Sequential()
model.add(LSTM(64, activation='relu', input_shape=(x.shape[1], x.shape[2])))
model.add(Dense(1))
model.compile('adam', 'mse')
model.fit(x, y, epochs=20)
