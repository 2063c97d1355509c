import numpy as np
from keras.layers import Input, Dense
from keras.models import Model
i = Input(shape=(2,))
m = Model(i, Dense(1)(i))
m.fit(np.zeros((4, 2)), np.zeros(4))
