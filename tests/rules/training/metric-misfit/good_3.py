from keras.layers import Dense
from keras.metrics import AUC, CategoricalAccuracy
from keras.models import Sequential

model = Sequential()
model.add(Dense(24, input_dim=12, activation="relu"))
model.add(Dense(3, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="rmsprop", metrics=[CategoricalAccuracy(), AUC()])
