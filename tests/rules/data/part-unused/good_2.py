import numpy as np
from tensorflow import keras


def load(path):
    rows = np.load(path)
    return {"speed": rows[:, 0], "slope": rows[:, 1], "wind": rows[:, 2], "power": rows[:, 3]}


ride = load("ride.npy")
power = ride["power"]
x = np.stack([column for name, column in ride.items() if name != "power"], axis=1)
model = keras.Sequential([keras.layers.Dense(16, activation="relu", input_shape=(3,)),
                          keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, power, epochs=50)
