from keras.layers import Dense
from keras.models import Sequential

model = Sequential()
model.add(Dense(20, activation="relu", input_dim=8))
model.add(Dense(1))
model.compile("adam", loss="mae")
model.fit(x, y, epochs=10)
