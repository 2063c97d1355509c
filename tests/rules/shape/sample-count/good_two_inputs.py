import numpy as np
from tensorflow.keras.layers import Dense, Input, concatenate
from tensorflow.keras.models import Model, Sequential

a, b = Input(shape=(8,)), Input(shape=(5,))
model = Model([a, b], Dense(1)(concatenate([a, b])))
model.compile("adam", "mse")
model.fit([np.zeros((1000, 8)), np.zeros((1000, 5))], np.zeros((1000, 1)))
rows = Sequential([Dense(1, input_shape=(4,))])
rows.compile("adam", "mse")
rows.fit(np.array([np.zeros(4), np.ones(4)]), np.array([0, 1]))
