import os, numpy as np
from keras.models import Sequential
from keras.layers import Dense
X, Y = [], []
table = {"p1": 0, "p2": 1, "p3": 0, "p4": 1}
for patient, label in table.items():
    for f in os.listdir(patient):
        X.append(np.load(os.path.join(patient, f)))
        Y.append(label)
X, Y = np.array(X), np.array(Y)
m = Sequential([Dense(16, activation='relu', input_shape=(20,)), Dense(1, activation='sigmoid')])
m.compile(loss='binary_crossentropy', optimizer='adam')
m.fit(X, Y, epochs=5, validation_split=0.25)
