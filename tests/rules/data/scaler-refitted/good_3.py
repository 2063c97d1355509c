import numpy as np
from sklearn.preprocessing import StandardScaler

train, test = np.random.rand(80, 3), np.random.rand(20, 3)
scaler = StandardScaler()
scaler.fit(train)
train = scaler.transform(train)
test = scaler.transform(test)
