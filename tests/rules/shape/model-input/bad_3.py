import numpy as np
from keras.layers import Input, Dense
from keras.models import Model
i = Input(shape=(3, 4))
m = Model(i, Dense(2)(i))
m.compile("adam", "mse")
m.fit(np.ones((9, 3, 5)), np.ones((9, 3, 2)))
