from keras.layers import Dense
from keras.models import Sequential

model = Sequential()
model.add(Dense(24, input_dim=12, activation="relu"))
model.add(Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="rmsprop", metrics=["categorical_accuracy"])
