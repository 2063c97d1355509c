import numpy as np
from keras.models import Sequential, Model
from keras.layers import *

import keras.backend as K
def loss(y_true, y_pred):
    w = K.constant(np.ones((5,)))
    return K.mean(K.square(y_true - y_pred) * w, axis=-1)
m = Sequential([Dense(3, input_shape=(4,))])
m.compile('adam', loss)
m.fit(np.zeros((8, 4)), np.zeros((8, 3)))
