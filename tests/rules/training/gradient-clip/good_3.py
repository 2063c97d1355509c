import numpy as np
from keras.models import Sequential
from keras.layers import Dense, Dropout

x = np.random.rand(1000, 20)
y = (x[:, 0] > 0.5).astype(int)
from keras.optimizers import RMSprop
model = Sequential([Dense(16, activation='relu', input_dim=20), Dense(1, activation='sigmoid')])
model.compile(RMSprop(lr=0.001, clipvalue=1.0), 'binary_crossentropy')
model.fit(x, y, epochs=20)
