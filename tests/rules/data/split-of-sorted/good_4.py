import os, random, numpy as np
from keras.models import Sequential
from keras.layers import Dense, Flatten
data = []
for label, cls in enumerate(["a", "b"]):
    for f in os.listdir(cls):
        data.append((np.load(os.path.join(cls, f)), label))
random.shuffle(data)
X = np.array([d[0] for d in data]); y = np.array([d[1] for d in data])
m = Sequential([Flatten(input_shape=(8, 8)), Dense(1, activation='sigmoid')])
m.compile(loss='binary_crossentropy', optimizer='adam')
m.fit(X, y, validation_split=0.2, epochs=3)
