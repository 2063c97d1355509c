from keras import backend as K
from keras.models import Sequential
from keras.layers import Conv2D

rows, cols = 8, 8
if K.image_data_format() == 'channels_first':
    shape = (3, rows, cols)
else:
    shape = (rows, cols, 3)
model = Sequential()
model.add(Conv2D(16, (9, 9), input_shape=shape))
