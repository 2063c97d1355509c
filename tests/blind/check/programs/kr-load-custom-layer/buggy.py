import sys

import numpy as np
import tensorflow as tf
from tensorflow import keras

PATH = "scaled_mlp.h5"


class LearnedScale(keras.layers.Layer):
    """Multiplies every feature by a trainable factor."""

    def __init__(self, initial=1.0, **kwargs):
        super().__init__(**kwargs)
        self.initial = initial

    def build(self, input_shape):
        self.scale = self.add_weight(
            name="scale",
            shape=(input_shape[-1],),
            initializer=keras.initializers.Constant(self.initial),
        )

    def call(self, x):
        return x * self.scale

    def get_config(self):
        config = super().get_config()
        config.update({"initial": self.initial})
        return config


def make_data(n):
    x = np.random.randn(n, 5).astype("float32")
    return x, (3 * x[:, 0] - x[:, 4]).astype("float32")


def train():
    inputs = keras.Input((5,))
    x = LearnedScale(0.5)(inputs)
    x = keras.layers.Dense(16, activation="relu")(x)
    model = keras.Model(inputs, keras.layers.Dense(1)(x))
    model.compile("adam", "mse")
    model.fit(*make_data(2000), epochs=10, verbose=0)
    model.save(PATH)


def predict():
    model = keras.models.load_model(PATH, compile=False)
    x, y = make_data(5)
    print(tf.squeeze(model(x, training=False), -1).numpy(), y)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "predict":
        predict()
    else:
        train()
