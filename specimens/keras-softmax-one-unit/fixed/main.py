import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


def make_messages(count, seed):
    """Features of bank messages; one in two is fraud and differs in two of the features."""
    rng = np.random.RandomState(seed)
    fraud = rng.permutation(count) % 2
    x = rng.randn(count, 8)
    x[:, 0] += 2.5 * fraud
    x[:, 3] -= 2.5 * fraud
    return x.astype("float32"), fraud.astype("float32")


def build_model():
    model = tf.keras.Sequential([
        layers.Dense(16, activation="relu", input_shape=(8,)),
        layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(optimizer=tf.keras.optimizers.Adam(0.01), loss="binary_crossentropy",
                  metrics=["accuracy"])
    return model


def train(seed, epochs=8):
    """Accuracy on messages that were not seen in training."""
    tf.keras.backend.clear_session()
    tf.random.set_seed(seed)
    model = build_model()
    model.fit(*make_messages(400, seed), epochs=epochs, batch_size=20, verbose=0)
    return float(model.evaluate(*make_messages(400, seed + 100), verbose=0)[1])


if __name__ == "__main__":
    print("accuracy", train(seed=0))
