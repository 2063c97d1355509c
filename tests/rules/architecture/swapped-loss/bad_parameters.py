from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential


def policy(y_pred, y_true):
    return -K.sum(y_true * K.log(y_pred + 1e-7), axis=-1)


model = Sequential([Dense(24, activation="relu", input_dim=4), Dense(2, activation="softmax")])
model.compile("adam", loss=policy)
