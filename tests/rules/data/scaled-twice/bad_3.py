import numpy as np


def load(path):
    return np.load(path).astype("float32") / 255


def batch(path):
    pixels = load(path).reshape(-1, 28, 28, 1)
    return (pixels * (1 / 255.0)).astype("float32")


first = batch("digits.npy")
