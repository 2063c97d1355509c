import numpy as np
from tensorflow import keras


def load(path):
    rows = np.load(path)
    return {"speed": rows[:, 0], "slope": rows[:, 1], "wind": rows[:, 2], "power": rows[:, 3]}


ride = load("ride.npy")
x = np.stack([ride["speed"], ride["slope"]], axis=1)
model = keras.Sequential([keras.layers.Dense(16, activation="relu", input_shape=(2,)),
                          keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, ride["power"], epochs=50)
