import glob, cv2, numpy as np
from tensorflow.keras import layers, models
x, y = [], []
for p in glob.glob('cats/*.jpg'):
    x.append(cv2.resize(cv2.imread(p), (64, 64)))
    y.append(0)
for p in glob.glob('dogs/*.jpg'):
    x.append(cv2.resize(cv2.imread(p), (64, 64)))
    y.append(1)
x = np.array(x) / 255.0
y = np.array(y)
order = np.random.permutation(len(x))
x, y = x[order], y[order]
m = models.Sequential([layers.Conv2D(16, 3, activation='relu', input_shape=(64, 64, 3)), layers.Flatten(), layers.Dense(1, activation='sigmoid')])
m.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
m.fit(x, y, epochs=10, validation_split=0.2)
