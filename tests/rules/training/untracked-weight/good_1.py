from keras import backend as K
from keras.layers import Dense, Input, Lambda
from keras.models import Model


def scale(x):
    factor = K.constant(2.0)
    return x * factor


x = Input(shape=(20,))
y = Dense(1)(Lambda(scale)(x))
model = Model(x, y)
model.compile("adam", loss="mse")
