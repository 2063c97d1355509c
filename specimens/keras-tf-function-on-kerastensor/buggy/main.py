import keras
import numpy as np
import tensorflow as tf
from keras import layers


def build_model(inputs=10, dimension=4):
    """Unit vectors for flowers; flowers of one kind should point in the same direction."""
    flower = keras.Input(shape=(inputs,))
    x = layers.Dense(32, activation="relu")(flower)
    x = layers.Dense(dimension)(x)
    x = tf.math.l2_normalize(x, axis=-1)
    return keras.Model(flower, x)


def make_pairs(count, seed):
    """Pairs of flowers and whether they are of the same kind."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 3, (2, count))
    centres = np.eye(3, 10, dtype="float32")
    flowers = centres[kinds] + 0.2 * rng.standard_normal((2, count, 10))
    return flowers.astype("float32"), (kinds[0] == kinds[1]).astype("float32")


def train(seed=0, epochs=15):
    keras.utils.set_random_seed(seed)
    encoder = build_model()
    first, second = keras.Input(shape=(10,)), keras.Input(shape=(10,))
    likeness = layers.Dot(axes=1)([encoder(first), encoder(second)])
    model = keras.Model([first, second], likeness)
    model.compile(optimizer="adam", loss="mse")
    flowers, same = make_pairs(600, seed)
    model.fit([flowers[0], flowers[1]], same, epochs=epochs, batch_size=60, verbose=0)
    return encoder


if __name__ == "__main__":
    print(train().predict(make_pairs(3, 1)[0][0], verbose=0))
