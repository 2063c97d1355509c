import numpy as np
from imblearn.over_sampling import SMOTE
from sklearn.model_selection import train_test_split

x, y = np.load("x.npy"), np.load("y.npy")
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)
x_train, y_train = SMOTE().fit_resample(x_train, y_train)
