import numpy as np
import tensorflow as tf
from keras import backend
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import Adam


def make_data(seed, task, count=400):
    """Twelve features; the two tasks look at different combinations of them."""
    rng = np.random.RandomState(seed)
    x = rng.normal(size=(count, 12)).astype("float32")
    score = x[:, 0] * x[:, 1] if task == "old" else x[:, 2] * x[:, 3]
    return x, (score > 0).astype("float32")


def pretrained_base(seed):
    base = Sequential([Dense(24, activation="tanh", input_shape=(12,))])
    whole = Sequential([base, Dense(1, activation="sigmoid")])
    whole.compile(loss="binary_crossentropy", optimizer=Adam(0.01))
    x, y = make_data(seed, "old")
    whole.fit(x, y, batch_size=20, epochs=5, verbose=0)
    return base


def fine_tune(base, seed):
    """First the head alone, then everything."""
    model = Sequential([base, Dense(1, activation="sigmoid")])
    x, y = make_data(seed + 1, "new")
    base.trainable = False
    model.compile(loss="binary_crossentropy", optimizer=Adam(0.01), metrics=["accuracy"])
    model.fit(x, y, batch_size=20, epochs=3, verbose=0)
    base.trainable = True
    model.compile(loss="binary_crossentropy", optimizer=Adam(0.01), metrics=["accuracy"])
    return model, model.fit(x, y, batch_size=20, epochs=15, verbose=0)


def movement(seed):
    """Largest change of a weight of the base during fine-tuning."""
    backend.clear_session()
    np.random.seed(seed)
    tf.compat.v1.set_random_seed(seed)
    base = pretrained_base(seed)
    before = [w.copy() for w in base.get_weights()]
    _, history = fine_tune(base, seed)
    print("training accuracy {:.3f}".format(history.history["accuracy"][-1]))
    return float(max(np.abs(a - b).max() for a, b in zip(before, base.get_weights())))


if __name__ == "__main__":
    print("largest change of a base weight {:.6f}".format(movement(seed=0)))
