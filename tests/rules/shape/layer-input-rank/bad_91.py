from keras.models import Sequential
from keras.layers import Conv2D, TimeDistributed

model = Sequential()
model.add(TimeDistributed(Conv2D(8, (3, 3)), input_shape=(40, 40, 1)))
