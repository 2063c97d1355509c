import numpy as np
from sklearn.preprocessing import MinMaxScaler
from tensorflow import keras

rows, target = np.load("rows.npy"), np.load("target.npy")
scaler = MinMaxScaler()
rows = scaler.fit_transform(rows)
low = rows / 2
inputs = keras.Input((4,))
hidden = keras.layers.Dense(16, activation="relu")(inputs)
model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
model.compile("adam", "mse")
model.fit(np.concatenate([rows, low]), np.concatenate([target, target]), epochs=20)
