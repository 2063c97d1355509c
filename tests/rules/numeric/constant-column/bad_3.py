import numpy as np
from keras.datasets import mnist

(x_train, y_train), _ = mnist.load_data()
x_train = x_train.reshape(60000, 784).astype('float32')
x_train -= np.mean(x_train, axis=0)
x_train = x_train / np.std(x_train, axis=0)
