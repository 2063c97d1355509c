from keras.layers import Dense, Dropout
from keras.models import Sequential

model = Sequential()
model.add(Dense(64, activation="relu", input_shape=(30,)))
Dropout(0.5)
model.add(Dense(4, activation="softmax"))
