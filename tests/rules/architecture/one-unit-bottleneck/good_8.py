from keras.layers import LSTM, Dense, Embedding
from keras.models import Sequential

model = Sequential()
model.add(Embedding(10000, 64, input_length=80))
model.add(LSTM(64))
model.add(Dense(20, activation="softmax"))
model.compile("adam", loss="categorical_crossentropy")
model.fit(x, y, epochs=5)
