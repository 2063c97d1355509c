import numpy as np


def frames(prices, window=60):
    return np.asarray([prices[k:k + window] for k in range(len(prices) - window + 1)])


x = frames(np.random.rand(3000))
