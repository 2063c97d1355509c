import numpy as np
from keras.models import Sequential
from keras.layers import Dense
x = np.random.rand(1000, 2)
y = (x[:, 0] > 0.5).astype(int)
model = Sequential()
model.add(Dense(32, activation='relu', input_dim=2))
for _ in range(12):
    model.add(Dense(32, activation='relu'))
model.add(Dense(1, activation='sigmoid'))
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=30)
