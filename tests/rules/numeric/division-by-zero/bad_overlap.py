from tensorflow import keras
from tensorflow.keras import backend as K


def overlap_loss(truth, guess):
    both = K.sum(truth * guess)
    return 1 - 2 * both / (K.sum(truth) + K.sum(guess))


model = keras.Sequential([keras.layers.Conv2D(1, 3, padding="same", activation="sigmoid", input_shape=(32, 32, 3))])
model.compile(optimizer="adam", loss=overlap_loss)
