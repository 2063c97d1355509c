import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.random.rand(100, 8)
y = np.random.randint(0, 5, 100)
model = keras.Sequential([layers.Dense(5, activation='softmax', input_shape=(8,))])
model.compile('adam', 'sparse_categorical_crossentropy')
model.fit(x, y)
