import os

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

WATCH = "val_accuracy"


def get_callbacks(out_dir):
    os.makedirs(out_dir, exist_ok=True)
    return [
        keras.callbacks.EarlyStopping(monitor=WATCH, mode="max", patience=5, restore_best_weights=True),
        keras.callbacks.ModelCheckpoint(
            os.path.join(out_dir, "best.keras"), monitor=WATCH, mode="max", save_best_only=True
        ),
    ]


def one_hot_dna(n, length=100, seed=0):
    rng = np.random.default_rng(seed)
    idx = rng.integers(0, 4, size=(n, length))
    labels = rng.integers(0, 2, size=n)
    for row, lab in zip(idx, labels):
        if lab:
            k = rng.integers(0, length - 6)
            row[k:k + 6] = [2, 0, 3, 3, 0, 1]
    return np.eye(4, dtype="float32")[idx], labels.astype("float32")


def build(length):
    inputs = keras.Input((length, 4))
    x = layers.Conv1D(64, 8, activation="relu")(inputs)
    x = layers.GlobalMaxPooling1D()(x)
    x = layers.Dense(32, activation="relu")(x)
    x = layers.Dropout(0.2)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


def main():
    x, y = one_hot_dna(6000)
    x_val, y_val = one_hot_dna(1000, seed=1)
    model = build(x.shape[1])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(
        x, y,
        validation_data=(x_val, y_val),
        epochs=100,
        batch_size=64,
        callbacks=get_callbacks("dna_out"),
        verbose=2,
    )


if __name__ == "__main__":
    main()
