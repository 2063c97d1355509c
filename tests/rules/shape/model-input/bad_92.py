import os

import cv2
import numpy as np
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

pictures, kinds = [], []
for name in os.listdir('leaves'):
    picture = cv2.imread(os.path.join('leaves', name))
    picture = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    pictures.append(cv2.resize(picture, (60, 60)))
    kinds.append(int(name[0]))
x = np.array(pictures) / 255.0
model = Sequential()
model.add(Conv2D(8, 3, activation='relu', input_shape=(60, 60, 3)))
model.add(Flatten())
model.add(Dense(5, activation='softmax'))
model.compile(loss='sparse_categorical_crossentropy', optimizer='adam')
model.fit(x, np.array(kinds), epochs=10)
