from tensorflow import keras
from tensorflow.keras import backend as K


def dice(y_true, y_pred):
    common = K.sum(y_true * y_pred)
    return (2 * common + 1) / (K.sum(y_true) + K.sum(y_pred) + 1)


def dice_loss(y_true, y_pred):
    return 1 - dice(y_true, y_pred)


model = keras.Sequential([keras.layers.Conv2D(1, 3, padding="same", activation="sigmoid",
                                              input_shape=(64, 64, 3))])
model.compile(optimizer="adam", loss=dice_loss, metrics=[dice])
