from keras.models import Sequential
from keras.layers import Dense
model = Sequential()
model.add(Dense(10, input_dim=3, activation='relu'))
model.add(Dense(2, activation='linear'))
model.compile(loss='mean_absolute_error', optimizer='adam', metrics=['acc'])
