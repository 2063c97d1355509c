import numpy as np
from sklearn.model_selection import train_test_split

x = np.random.rand(100, 8)
y = np.random.randint(0, 2, 100)
x_train, x_test, y_train, y_test = train_test_split(x, y)
x_train = np.repeat(x_train, 5, axis=0)
y_train = np.repeat(y_train, 5)
