import numpy as np
from tensorflow.keras.layers import Dense, Input, concatenate
from tensorflow.keras.models import Model

a, b = Input(shape=(8,)), Input(shape=(5,))
model = Model([a, b], Dense(1)(concatenate([a, b])))
model.compile("adam", "mse")
model.fit([np.zeros((1000, 8)), np.zeros((900, 5))], np.zeros((1000, 1)))
