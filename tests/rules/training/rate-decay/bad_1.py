from keras.models import Sequential
from keras.layers import Dense
from keras.optimizers import SGD
import numpy as np
x = np.random.rand(1000, 10)
y = (x.sum(axis=1) > 5).astype('int')
model = Sequential()
model.add(Dense(32, activation='relu', input_dim=10))
model.add(Dense(1, activation='sigmoid'))
model.compile(optimizer=SGD(lr=0.01, decay=0.9, momentum=0.9), loss='binary_crossentropy', metrics=['acc'])
model.fit(x, y, batch_size=32, epochs=50)
