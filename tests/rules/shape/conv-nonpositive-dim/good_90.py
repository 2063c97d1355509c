from keras import backend as K
from keras.models import Sequential
from keras.layers import Convolution2D, MaxPooling2D

K.set_image_dim_ordering('th')
model = Sequential()
model.add(Convolution2D(16, 5, 5, input_shape=(1, 28, 28)))
model.add(MaxPooling2D(pool_size=(2, 2)))
model.add(Convolution2D(16, 5, 5, dim_ordering='th'))
