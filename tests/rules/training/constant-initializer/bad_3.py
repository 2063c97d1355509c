from keras.initializers import Constant
from keras.models import Sequential
from keras.layers import Activation, BatchNormalization, Conv2D, Dense, Flatten, MaxPooling2D
model = Sequential()
model.add(Dense(8, input_dim=4, activation='tanh', kernel_initializer=Constant(0.1)))
model.add(Dense(1))
