import numpy as np


class Net:
    """A net."""

    def __init__(self, n):
        # size
        self.n = n
        self.w = np.zeros(n)

    def forward(self, x):
        y = x @ self.w
        y = np.exp(y)
        return y / y.sum()

    def save(self, path):
        np.save(path, self.w)


def main():
    net = Net(3)
    net.save("w.npy")
    print(net.forward(np.ones(3)))


main()
