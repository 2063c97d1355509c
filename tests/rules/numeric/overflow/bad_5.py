import numpy as np
def cost(h, y):
    return -np.mean(y * np.log(h) + (1 - y) * np.log(1 - h))
def sigmoid(z):
    return 1 / (1 + np.exp(-z))
X = np.random.randn(100, 5) * 100
w = np.random.randn(5)
y = np.random.randint(0, 2, 100)
print(cost(sigmoid(X @ w), y))
