from keras.initializers import RandomUniform
from keras.layers import Dense
from keras.models import Sequential

model = Sequential()
model.add(Dense(64, activation='relu', input_dim=20))
model.add(Dense(32, activation='relu', kernel_initializer=RandomUniform(minval=-0.1, maxval=0.1)))
model.add(Dense(1))
model.compile('adam', 'mse')
