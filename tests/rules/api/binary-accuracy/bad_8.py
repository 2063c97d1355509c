from keras.layers import Dense
from keras.models import Sequential
from keras.utils import to_categorical

y = to_categorical(kinds, 12)
model = Sequential()
model.add(Dense(64, activation="relu", input_dim=30))
model.add(Dense(12, activation="sigmoid"))
model.compile("adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=20)
