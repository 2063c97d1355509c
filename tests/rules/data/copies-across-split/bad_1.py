import numpy as np
from imblearn.over_sampling import SMOTE
from sklearn.model_selection import train_test_split

x, y = np.load("x.npy"), np.load("y.npy")
x_res, y_res = SMOTE().fit_resample(x, y)
x_train, x_test, y_train, y_test = train_test_split(x_res, y_res, test_size=0.2)
