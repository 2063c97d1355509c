import numpy as np
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Dense

normal = np.random.normal(0, 1, (500, 8))
attack = np.random.normal(1, 1, (500, 8))
x = np.concatenate([normal, attack])
y = np.concatenate([np.zeros(500), np.ones(500)])
model = Sequential([Dense(16, activation="relu", input_shape=(8,)), Dense(1, activation="sigmoid")])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
history = model.fit(x, y, epochs=20)
