import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.utils import resample
X = np.random.rand(500, 4); y = (np.random.rand(500) > 0.9).astype(int)
Xm, ym = X[y == 1], y[y == 1]
Xu, yu = resample(Xm, ym, replace=True, n_samples=400)
Xa, ya = np.vstack([X[y == 0], Xu]), np.concatenate([y[y == 0], yu])
Xtr, Xte, ytr, yte = train_test_split(Xa, ya, test_size=0.3)
