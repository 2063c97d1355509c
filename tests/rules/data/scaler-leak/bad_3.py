import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

x = np.random.rand(500, 8)
y = np.random.randint(0, 2, 500)
x = StandardScaler().fit_transform(x)
x_train, x_test, y_train, y_test = train_test_split(x, y)
