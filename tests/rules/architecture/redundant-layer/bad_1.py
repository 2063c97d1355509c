import numpy as np
from keras.models import Sequential
from keras.layers import Dense
from keras.optimizers import SGD
X = np.array([[0,0],[0,1],[1,0],[1,1]])
y = np.array([[0],[1],[1],[0]])
model = Sequential()
model.add(Dense(8, input_dim=2))
model.add(Dense(1, activation='sigmoid'))
model.compile(loss='binary_crossentropy', optimizer=SGD(lr=0.1))
model.fit(X, y, batch_size=1, nb_epoch=1000)
