from tensorflow.keras import Sequential
from keras.layers import Flatten
m = Sequential()
m.add(Flatten(input_shape=(2, 2)))
