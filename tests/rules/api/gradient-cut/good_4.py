import numpy as np
from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential


def masked(y_true, y_pred):
    there = K.cast(K.not_equal(y_true, 0), 'float32')
    return K.sum(K.square(y_pred - y_true) * there) / (K.sum(there) + 1.0)


model = Sequential([Dense(1, input_shape=(6,))])
model.compile(loss=masked, optimizer='adam')
model.fit(np.random.rand(50, 6), np.random.rand(50, 1))
