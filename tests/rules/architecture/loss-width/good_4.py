import numpy as np
from keras.models import Sequential
from keras.layers import Dense
x = np.random.rand(1000, 20)
y = (x[:, 0] > 0.5).astype(int)
model = Sequential([Dense(16, activation='relu', input_dim=20), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=30)
