import numpy as np
import torch


def load(path):
    return np.load(path).astype("float32") / 256


def noisy(path):
    pixels = load(path).reshape(-1, 28, 28, 1)
    return pixels + np.random.rand(*pixels.shape) / 256


first = noisy("digits.npy")
steps = torch.rand(8, 3) / 255
