import os

import cv2
import numpy as np
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

pictures, kinds = [], []
for name in os.listdir('leaves'):
    picture = cv2.imread(os.path.join('leaves', name), cv2.IMREAD_GRAYSCALE)
    pictures.append(cv2.resize(picture, (60, 40)))
    kinds.append(int(name[0]))
x = np.array(pictures).reshape(-1, 40, 60, 1) / 255.0
model = Sequential()
model.add(Conv2D(8, 3, activation='relu', input_shape=(40, 60, 1)))
model.add(Flatten())
model.add(Dense(5, activation='softmax'))
model.compile(loss='sparse_categorical_crossentropy', optimizer='adam')
model.fit(x, np.array(kinds), epochs=10)
