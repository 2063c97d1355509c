import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Dense(32, activation='relu', input_shape=(20,)), layers.Dense(10, activation='softmax')])
model.compile(optimizer='adam', loss='categorical_crossentropy', metrics=['accuracy'])
x = np.random.rand(200, 20)
y = np.random.randint(0, 10, (200, 1))
model.fit(x, y, epochs=2)
