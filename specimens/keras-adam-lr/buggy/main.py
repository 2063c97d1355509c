import keras
import numpy as np
from keras import layers


def make_tracks(count, seed):
    """Landing point of a ball from its first three positions."""
    rng = np.random.default_rng(seed)
    speed, angle = rng.uniform(5, 10, count), rng.uniform(0.3, 1.2, count)
    times = np.array([0.0, 0.1, 0.2])
    x = speed[:, None] * np.cos(angle)[:, None] * times
    y = speed[:, None] * np.sin(angle)[:, None] * times - 4.9 * times ** 2
    landing = speed ** 2 * np.sin(2 * angle) / 9.8
    return np.hstack([x, y]).astype("float32"), landing.astype("float32")


def build_model():
    model = keras.Sequential([
        keras.Input(shape=(6,)),
        layers.Dense(32, activation="relu"),
        layers.Dense(32, activation="relu"),
        layers.Dense(1),
    ])
    model.compile(optimizer=keras.optimizers.Adam(lr=0.01), loss="mse")
    return model


def train(seed=0, epochs=20):
    keras.utils.set_random_seed(seed)
    model = build_model()
    tracks, landing = make_tracks(512, seed)
    history = model.fit(tracks, landing, epochs=epochs, batch_size=64, verbose=0)
    return model, history.history["loss"]


if __name__ == "__main__":
    print("last loss", train()[1][-1])
