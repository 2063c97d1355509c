import glob
import os

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

ROOT = "spectra"
CLASSES = ["quartz", "calcite", "gypsum", "halite", "pyrite"]


def load():
    xs, ys = [], []
    for label, name in enumerate(CLASSES):
        files = sorted(glob.glob(os.path.join(ROOT, name, "*.npy")))
        for path in files:
            spectrum = np.load(path).astype("float32")
            xs.append(spectrum / spectrum.max())
            ys.append(label)
    return np.stack(xs)[..., None], np.array(ys)


def net(length):
    return keras.Sequential([
        keras.Input((length, 1)),
        layers.Conv1D(16, 11, strides=2, activation="relu"),
        layers.Conv1D(32, 11, strides=2, activation="relu"),
        layers.GlobalMaxPooling1D(),
        layers.Dropout(0.3),
        layers.Dense(len(CLASSES), activation="softmax"),
    ])


x, y = load()
print("spectra:", x.shape, "per class:", np.bincount(y))

model = net(x.shape[1])
model.compile(
    optimizer=keras.optimizers.Adam(1e-3),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
history = model.fit(x, y, validation_split=0.2, epochs=30, batch_size=32, shuffle=True)
best = max(history.history["val_accuracy"])
print("best validation accuracy %.3f" % best)
