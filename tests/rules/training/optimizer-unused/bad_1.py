from keras.models import Sequential
from keras.layers import Dense
from keras.optimizers import SGD

model = Sequential()
model.add(Dense(8, activation='relu', input_dim=4))
model.add(Dense(1))
slow = SGD(learning_rate=1e-4)
model.compile(loss='mse', optimizer='sgd')
