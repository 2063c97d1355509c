import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, Input, Dropout, LSTM
from keras.preprocessing.image import ImageDataGenerator
m = Sequential([Conv2D(2, 3, input_shape=(8, 8, 3))])
m.compile('adam', 'mse')
g = ImageDataGenerator()
x = np.zeros((10, 8, 8, 3))
p = m.predict(x)
