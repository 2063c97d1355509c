import numpy as np

weights = np.random.randn(8, 3)


def squash(z):
    return 1 / (1 + np.exp(-z))


def squash_again(z):
    return (1.0 + np.exp(-z)) ** -1


print(squash(np.random.randn(5, 8) @ weights), squash_again(np.random.randn(5, 8) @ weights))
