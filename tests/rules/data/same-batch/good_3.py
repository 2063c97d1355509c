import random

import numpy as np
from keras.utils import to_categorical


def batches(images, labels, size, classes):
    x = np.zeros((size,) + images.shape[1:])
    y = np.zeros((size, classes))
    while 1:
        for i in range(size):
            k = random.randrange(len(images))
            x[i] = images[k]
            y[i] = to_categorical(labels[k], classes)
        yield x, y


def in_order(images, labels, size):
    k = 0
    while True:
        if k + size > len(images):
            k = 0
        part = slice(k, k + size)
        k = k + size
        yield images[part], labels[part]


def augmented(images, labels, size, rotate):
    rows = list(range(size))
    while True:
        x = rotate(images[rows])
        yield x, labels[rows]
