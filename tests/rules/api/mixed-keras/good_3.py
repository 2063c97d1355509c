from tensorflow.keras import Sequential
from tensorflow import keras
m = Sequential()
m.add(keras.layers.Flatten(input_shape=(2, 2)))
