from keras.layers import Dense, Input
from keras.losses import binary_crossentropy, mean_squared_error
from keras.models import Model


def both(y_true, y_pred):
    picture = mean_squared_error(y_true[0], y_pred[0])
    verdict = binary_crossentropy(y_true[1], y_pred[1])
    return picture + verdict


x = Input(shape=(100,))
code = Dense(16, activation="relu")(x)
model = Model(x, [Dense(100, activation="sigmoid")(code), Dense(1, activation="sigmoid")(code)])
model.compile("adam", loss=both)
