import numpy as np
from sklearn.preprocessing import MinMaxScaler

x_train, x_val = np.random.rand(80, 3), np.random.rand(20, 3)
scaler = MinMaxScaler()
x_train = scaler.fit_transform(x_train)
x_val = scaler.fit_transform(x_val)
