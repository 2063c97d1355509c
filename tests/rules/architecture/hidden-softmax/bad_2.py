from keras.models import Sequential
from keras.layers import Dense, Activation

model = Sequential()
model.add(Dense(32, input_dim=8))
model.add(Activation('softmax'))
model.add(Dense(1, activation='sigmoid'))
model.compile('adam', 'binary_crossentropy')
