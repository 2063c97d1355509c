import numpy as np
def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
W = np.random.randn(784, 10)
X = np.random.rand(100, 784) * 255
P = softmax(X.dot(W))
