import numpy as np
import torch


def density(x, mu, sigma):
    return np.exp(-0.5 * (x - mu) * (x - mu) / (sigma * sigma)) / np.sqrt(2 * np.pi)


x = np.random.randn(10)
print(density(x, 0.0, 1.0))
print(np.exp(-(x - 1) * (x - 1) * (x - 1) * (x - 1)))
print(np.exp(np.random.normal(size=5)))
