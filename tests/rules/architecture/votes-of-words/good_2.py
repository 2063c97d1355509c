from keras.layers import Dense, Embedding, GlobalAveragePooling1D
from keras.models import Sequential

model = Sequential()
model.add(Embedding(8000, 16, input_length=40))
model.add(GlobalAveragePooling1D())
model.add(Dense(16, activation="relu"))
model.add(Dense(4, activation="softmax"))
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
