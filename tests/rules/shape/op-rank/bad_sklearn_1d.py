import numpy as np
from sklearn.linear_model import LinearRegression
x = np.random.rand(100)
y = np.random.rand(100)
LinearRegression().fit(x, y)
