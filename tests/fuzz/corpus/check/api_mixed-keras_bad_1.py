from keras.models import Sequential
from tensorflow.keras.layers import Dense
m = Sequential()
m.add(Dense(1, input_dim=2))
