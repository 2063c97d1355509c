import numpy as np
from sklearn.model_selection import train_test_split
from keras.models import Sequential
from keras.layers import Dense
X = np.vstack([np.random.randn(50, 3), np.random.randn(50, 3) + 3])
y = np.hstack([np.zeros(50), np.ones(50)])
Xt, Xv, yt, yv = train_test_split(X, y, stratify=y)
m = Sequential([Dense(4, activation='relu', input_shape=(3,)), Dense(1, activation='sigmoid')])
m.compile(loss='binary_crossentropy', optimizer='adam')
m.fit(Xt, yt, validation_split=0.2, epochs=3)
