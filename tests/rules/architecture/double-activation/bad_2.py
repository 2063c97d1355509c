from keras.models import Sequential
from keras.layers import Dense, Activation

model = Sequential()
model.add(Dense(64, input_dim=30, activation='relu'))
model.add(Dense(1, activation='relu'))
model.add(Activation('sigmoid'))
model.compile('adam', 'binary_crossentropy')
