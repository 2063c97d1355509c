import numpy as np
from keras.models import Sequential
from keras.layers import Embedding, Dense, Flatten
x = np.random.randint(0, 500, (200, 30))
y = np.random.randint(0, 2, (200, 1))
model = Sequential()
model.add(Embedding(500, 16, input_length=30))
model.add(Flatten())
model.add(Dense(1, activation='sigmoid'))
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=5)
