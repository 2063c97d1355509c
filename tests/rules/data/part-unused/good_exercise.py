import numpy as np


def attend(x, keys, values):
    # TODO weigh the values
    return x + keys


w_k = np.random.normal(size=(4, 4))
w_v = np.random.normal(size=(4, 4))
print(attend(np.ones((4, 4)), w_k, w_v))
