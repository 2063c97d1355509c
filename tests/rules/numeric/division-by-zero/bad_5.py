import numpy as np
def softmax(z):
    return np.exp(z) / np.sum(np.exp(z), axis=1, keepdims=True)
W = np.random.randn(784, 10)
X = np.random.rand(100, 784) * 255
P = softmax(X.dot(W))
