import numpy as np
from keras.models import Sequential
from keras.layers import Dense
X = np.array([[i / 100.0, (i % 7) / 7.0] for i in range(100)])
y = np.array([1 if i > 50 else 0 for i in range(100)])
model = Sequential()
model.add(Dense(4, input_dim=2, activation='relu'))
model.add(Dense(1, activation='sigmoid'))
model.compile(loss='binary_crossentropy', optimizer='adam', metrics=['accuracy'])
model.fit(X, y, epochs=3, batch_size=32)
