import numpy as np
from keras.datasets import mnist
from keras.models import Sequential
from keras.layers import Dense, Flatten
(x, y), _ = mnist.load_data()
x = x / 255.0
np.random.shuffle(x)
np.random.shuffle(y)
model = Sequential([Flatten(input_shape=(28, 28)), Dense(32, activation='relu'), Dense(10, activation='softmax')])
model.compile('adam', 'sparse_categorical_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=5)
