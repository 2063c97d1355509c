from keras.models import Sequential
from keras.layers import Dense
from keras import initializers
model = Sequential()
model.add(Dense(64, input_dim=10, activation='relu', kernel_initializer=initializers.Ones()))
model.add(Dense(1, activation='sigmoid'))
model.compile('adam', 'binary_crossentropy')
