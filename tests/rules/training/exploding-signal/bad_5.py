from keras.models import Sequential
from keras.layers import Dense
from keras.initializers import RandomNormal
model = Sequential()
model.add(Dense(256, input_dim=100, activation='relu', kernel_initializer=RandomNormal(stddev=1.0)))
for i in range(4):
    model.add(Dense(256, activation='relu', kernel_initializer=RandomNormal(stddev=1.0)))
model.add(Dense(10, activation='softmax'))
model.compile('adam', 'categorical_crossentropy')
