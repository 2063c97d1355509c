import numpy as np
from keras.models import Sequential
from keras.layers import Dense
X = np.array([[0,0],[0,1],[1,0],[1,1]])
y = np.array([[0],[1],[1],[0]])
model = Sequential()
model.add(Dense(4, input_dim=2, kernel_initializer='glorot_uniform', activation='tanh'))
model.add(Dense(1, kernel_initializer='zeros', activation='sigmoid'))
model.compile(loss='binary_crossentropy', optimizer='adam', metrics=['accuracy'])
model.fit(X, y, epochs=1000)
