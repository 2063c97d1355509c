import pandas as pd, numpy as np
from tensorflow.keras import Sequential, layers
pos = np.random.normal(1, 1, size=(300, 12)); neg = np.random.normal(-1, 1, size=(300, 12))
X = np.r_[pos, neg]
y = np.r_[np.ones(300), np.zeros(300)]
m = Sequential([layers.Dense(8, activation='relu', input_shape=(12,)), layers.Dense(1, activation='sigmoid')])
m.compile(loss='binary_crossentropy', optimizer='adam', metrics=['acc'])
hist = m.fit(X, y, batch_size=16, epochs=20, validation_split=0.1, verbose=2)
