import numpy as np
from keras.layers import Dense
from keras.models import Sequential

table = np.loadtxt("patients.csv", delimiter=",")
X = table[:, 0:8]
y = table[:, 8]
model = Sequential([Dense(12, activation="relu", input_dim=8), Dense(1, activation="sigmoid")])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(X, y, epochs=150, batch_size=10)
