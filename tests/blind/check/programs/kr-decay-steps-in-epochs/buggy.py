import math

import numpy as np
import tensorflow as tf
from tensorflow import keras

EPOCHS = 40
BATCH = 64
DECAY_EVERY_EPOCHS = 10


def make_data(n=12800):
    rng = np.random.default_rng(2)
    x = rng.uniform(-3, 3, size=(n, 4)).astype("float32")
    y = np.sin(x[:, 0]) + np.cos(x[:, 1]) * x[:, 2] + 0.1 * x[:, 3] ** 2
    return x, y.astype("float32")[:, None]


def make_optimizer(n_train):
    steps_per_epoch = math.ceil(n_train / BATCH)
    print("steps per epoch:", steps_per_epoch)
    schedule = keras.optimizers.schedules.ExponentialDecay(
        initial_learning_rate=2e-3,
        decay_steps=DECAY_EVERY_EPOCHS,
        decay_rate=0.5,
        staircase=True,
    )
    return keras.optimizers.Adam(learning_rate=schedule)


def make_model():
    return keras.Sequential([
        keras.Input((4,)),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(1),
    ])


def main():
    x, y = make_data()
    cut = int(0.9 * len(x))
    model = make_model()
    model.compile(optimizer=make_optimizer(cut), loss="mse")
    model.fit(
        x[:cut], y[:cut],
        validation_data=(x[cut:], y[cut:]),
        epochs=EPOCHS,
        batch_size=BATCH,
        verbose=2,
    )


if __name__ == "__main__":
    tf.random.set_seed(3)
    main()
