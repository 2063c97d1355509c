import numpy as np
from keras.models import Sequential, Model
from keras.layers import *

m = Sequential()
m.add(Conv2D(8, (3, 3), input_shape=(28, 28, 1)))
m.add(Conv2D(8, (3, 3)))
m.add(Flatten())
