# Yes or no from a table of numbers in a file.
import numpy as np
from keras.callbacks import EarlyStopping
from keras.layers import Dense
from keras.models import Sequential

rows = np.loadtxt("patients.csv", delimiter=",")
X = rows[:, 0:8]
y = rows[:, 8]

model = Sequential()
model.add(Dense(12, input_dim=8, activation="relu"))
model.add(Dense(8, activation="relu"))
model.add(Dense(1, activation="sigmoid"))
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
stop = EarlyStopping(monitor="val_loss", patience=5)
model.fit(X, y, epochs=150, batch_size=10, validation_split=0.2, callbacks=[stop])
print((model.predict(X) > 0.5).mean())
