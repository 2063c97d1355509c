import numpy as np
from sklearn.model_selection import train_test_split

x = np.random.rand(100, 8)
y = np.random.randint(0, 2, 100)
x_many = np.repeat(x, 5, axis=0) + 0.01 * np.random.randn(500, 8)
y_many = np.repeat(y, 5)
x_train, x_test, y_train, y_test = train_test_split(x_many, y_many)
