import numpy as np
from keras.models import Sequential
from keras.layers import Dense
X = np.array([[0,0],[0,1],[1,0],[1,1]])
y = np.array([[0],[1],[1],[0]])
model = Sequential([Dense(8, input_dim=2, activation='tanh'), Dense(1, activation='sigmoid')])
model.compile(loss='binary_crossentropy', optimizer='adam', metrics=['accuracy'])
model.fit(X, y, epochs=2000, verbose=0)
