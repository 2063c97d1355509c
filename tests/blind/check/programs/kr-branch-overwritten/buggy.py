import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def build(n_features, n_outputs):
    inputs = keras.Input(shape=(n_features,), name="features")

    x = layers.Dense(128, name="dense_a")(inputs)
    x = layers.BatchNormalization(name="bn_a")(x)
    x = layers.Activation("relu", name="relu_a")(x)
    x = layers.Dropout(0.3, name="drop_a")(x)

    x = layers.Dense(64, name="dense_b")(inputs)
    x = layers.BatchNormalization(name="bn_b")(x)
    x = layers.Activation("relu", name="relu_b")(x)
    x = layers.Dropout(0.2, name="drop_b")(x)

    outputs = layers.Dense(n_outputs, name="forces")(x)
    return keras.Model(inputs, outputs, name="force_model")


def simulate(n, rng):
    q = rng.uniform(-1, 1, size=(n, 9)).astype("float32")
    f = np.stack([
        np.sin(3 * q[:, 0]) * q[:, 1],
        q[:, 2] ** 2 - q[:, 3],
        np.tanh(q[:, 4] + q[:, 5] * q[:, 6]),
    ], axis=1)
    return q, f.astype("float32")


if __name__ == "__main__":
    rng = np.random.default_rng(12)
    x_train, y_train = simulate(8000, rng)
    x_val, y_val = simulate(1000, rng)
    model = build(9, 3)
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse", metrics=["mae"])
    model.fit(
        x_train, y_train,
        validation_data=(x_val, y_val),
        epochs=30,
        batch_size=128,
        verbose=2,
    )
