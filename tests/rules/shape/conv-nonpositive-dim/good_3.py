from keras.models import Sequential
from keras.layers import Dense, Conv2D, Flatten, MaxPooling2D, LSTM
def build(shape):
    m = Sequential()
    m.add(Conv2D(4, (7, 7), padding="same", input_shape=shape))
    return m


build((5, 5, 3))
