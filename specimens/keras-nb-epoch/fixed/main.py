import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Model

WIDTH, CODE = 32, 3


def build_model():
    """Autoencoder of spectra with a code of three numbers."""
    spectrum = Input(shape=(WIDTH,))
    code = Dense(CODE)(Dense(16, activation="tanh")(spectrum))
    decoded = Dense(WIDTH)(Dense(16, activation="tanh")(code))
    model = Model(spectrum, decoded)
    model.compile(optimizer=tf.keras.optimizers.Adam(0.01), loss="mse")
    return model


def make_spectra(count, seed):
    """Spectra with one line of random place, width and height."""
    rng = np.random.RandomState(seed)
    place, width, height = rng.uniform([8, 2, 0.5], [24, 5, 1.0], (count, 3)).T[:, :, None]
    axis = np.arange(WIDTH)
    return (height * np.exp(-((axis - place) / width) ** 2)).astype("float32")


def train(seed=0):
    tf.random.set_seed(seed)
    spectra = make_spectra(500, seed)
    model = build_model()
    history = model.fit(spectra, spectra, epochs=30, batch_size=50, verbose=0)
    return model, history.history["loss"]


if __name__ == "__main__":
    print("last loss", train()[1][-1])
