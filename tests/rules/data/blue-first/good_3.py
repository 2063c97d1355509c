import cv2
import numpy as np
from tensorflow.keras import layers, models

pictures = np.array([cv2.resize(cv2.imread(f'{i}.jpg'), (64, 64)) for i in range(100)]) / 255
net = models.Sequential([layers.Conv2D(8, 3, activation='relu', input_shape=(64, 64, 3)),
                         layers.Flatten(), layers.Dense(1, activation='sigmoid')])
net.compile('adam', 'binary_crossentropy')
net.fit(pictures, np.arange(100) % 2, epochs=3)
