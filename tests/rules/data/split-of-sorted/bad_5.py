import glob, os
import numpy as np
from PIL import Image
import tensorflow as tf
CLASSES = ["rock", "paper", "scissors"]
def load(root):
    X = []
    Y = []
    for c in CLASSES:
        label = CLASSES.index(c)
        for f in glob.glob(os.path.join(root, c, "*.png")):
            img = Image.open(f).resize((64, 64))
            X.append(np.asarray(img) / 255.)
            Y.append(label)
    return np.array(X), np.array(Y)
X, Y = load("data")
model = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(64, 64, 3)), tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(X, Y, validation_split=0.2, epochs=10)
