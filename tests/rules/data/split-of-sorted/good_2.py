import os
import cv2
import numpy as np
from keras.models import Sequential
from keras.layers import Dense, Flatten
from keras.utils import to_categorical

images, labels = [], []
for number, folder in enumerate(["cats", "dogs", "birds"]):
    for name in os.listdir(folder):
        image = cv2.imread(os.path.join(folder, name))
        images.append(cv2.resize(image, (32, 32)) / 255.0)
        labels.append(number)
x = np.array(images)
y = to_categorical(np.array(labels), 3)
order = np.random.permutation(len(x))
x, y = x[order], y[order]
model = Sequential([Flatten(input_shape=(32, 32, 3)), Dense(64, activation="relu"),
                    Dense(3, activation="softmax")])
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x, y, epochs=5, batch_size=32, validation_split=0.2)
