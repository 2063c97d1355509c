import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.layers import Dense


def screws(seed, count):
    """Ten measurements of a screw and whether it passes; a tenth of the labels is wrong."""
    rng = np.random.RandomState(seed)
    x = rng.normal(size=(count, 10)).astype("float32")
    passes = x[:, 0] + x[:, 1] - x[:, 2] > 0
    wrong = rng.uniform(size=count) < 0.1
    return x, (passes ^ wrong).astype("float32")


def build_model():
    model = keras.Sequential()
    model.add(Dense(32, activation="relu", input_shape=(10,)))
    model.add(Dense(1, activation="sigmoid"))
    model.compile(loss="binary_crossentropy", optimizer=keras.optimizers.Adam(0.01),
                  metrics=["accuracy"])
    return model


def train(seed, max_epochs=120):
    np.random.seed(seed)
    tf.random.set_seed(seed)
    stop = keras.callbacks.EarlyStopping(monitor="val_acc", mode="max", patience=4,
                                         restore_best_weights=True)
    model = build_model()
    history = model.fit(*screws(seed, 300), batch_size=30, epochs=max_epochs,
                        validation_data=screws(seed + 100, 200), callbacks=[stop], verbose=0)
    return model, history


def epochs_run(seed):
    return len(train(seed)[1].history["loss"])


if __name__ == "__main__":
    model, history = train(seed=0)
    loss, accuracy = model.evaluate(*screws(999, 500), verbose=0)
    print(f"{len(history.history['loss'])} epochs, accuracy on new screws {accuracy:.3f}")
