import numpy as np

x_train, x_test = np.load('train.npy'), np.load('test.npy')
mean, spread = x_train.mean(axis=0), x_train.std(axis=0) + 1e-8
x_train = (x_train - mean) / spread
x_test = (x_test - mean) / spread
