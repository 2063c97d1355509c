import numpy as np
from sklearn.utils import shuffle
from keras.models import Sequential
from keras.layers import Dense
X = np.vstack([np.random.randn(50, 3), np.random.randn(50, 3) + 3])
y = np.hstack([np.zeros(50), np.ones(50)])
X, y = shuffle(X, y, random_state=0)
m = Sequential([Dense(4, activation='relu', input_shape=(3,)), Dense(1, activation='sigmoid')])
m.compile(loss='binary_crossentropy', optimizer='adam')
m.fit(X, y, validation_split=0.2, epochs=3)
