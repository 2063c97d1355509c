import numpy as np


class Tree:
    def __init__(self, size):
        self.sums = np.zeros(2 * size - 1)

    def put(self, i, value):
        self.sums[i] = value

    def share(self, x):
        return x / self.sums[0]


cov = np.zeros((2, 2))
for i in range(2):
    cov[i, i] = i + 1.0
corr = np.ones(2) / np.sqrt(cov[0, 0] * cov[1, 1])
