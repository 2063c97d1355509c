from keras.layers import Dense
from keras.models import Sequential

model = Sequential()
model.add(Dense(32, activation='relu', input_dim=10))
model.add(Dense(5, activation='softmax'))
model.compile('adam', loss='kld')
