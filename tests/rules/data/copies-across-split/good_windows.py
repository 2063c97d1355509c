import numpy as np
from sklearn.model_selection import train_test_split

series = np.load('series.npy')
x, y = [], []
for i in range(len(series) - 20):
    x.append(series[i:i + 20])
    y.append(series[i + 20])
x_train, x_test, y_train, y_test = train_test_split(np.array(x), np.array(y), test_size=0.2, shuffle=False)
