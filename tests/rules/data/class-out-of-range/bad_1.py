import numpy as np
from tensorflow import keras
x = np.random.rand(500, 10)
y = np.random.randint(1, 6, size=(500,))
model = keras.Sequential([keras.layers.Dense(32, activation='relu', input_shape=(10,)), keras.layers.Dense(5, activation='softmax')])
model.compile(optimizer='adam', loss='sparse_categorical_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=10)
