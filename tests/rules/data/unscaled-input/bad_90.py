import glob

import cv2
import numpy as np
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

x = np.array([cv2.resize(cv2.imread(p), (32, 32)) for p in glob.glob('cats/*.jpg')])
y = np.zeros(len(x))
model = Sequential()
model.add(Conv2D(8, 3, activation='relu', input_shape=(32, 32, 3)))
model.add(Flatten())
model.add(Dense(1, activation='sigmoid'))
model.compile(loss='binary_crossentropy', optimizer='adam')
model.fit(x, y, epochs=10)
