import numpy as np
from keras.utils import to_categorical


def batches(images, labels, size, classes):
    x = np.zeros((size,) + images.shape[1:])
    y = np.zeros((size, classes))
    while 1:
        for i in range(size):
            x[i] = images[i]
            y[i] = to_categorical(labels[i], classes)
        yield x, y
