from keras import backend as K
from keras.layers import Input, Dense
from keras.models import Model
def loss(y_true, y_pred):
    return -K.mean(y_true * K.log(K.clip(y_pred, 1e-6, 1 - 1e-6)) + (1 - y_true) * K.log(1 - K.clip(y_pred, 1e-6, 1 - 1e-6)))
inp = Input((10,))
out = Dense(1, activation='sigmoid')(Dense(16, activation='relu')(inp))
m = Model(inp, out)
m.compile('adam', loss=loss)
import numpy as np
m.fit(np.random.rand(100, 10), np.random.randint(0, 2, (100, 1)), epochs=3)
