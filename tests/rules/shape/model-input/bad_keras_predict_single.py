import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Dense(3, activation='softmax', input_shape=(4,))])
model.compile('adam', 'sparse_categorical_crossentropy')
sample = np.array([5.1, 3.5, 1.4, 0.2])
p = model.predict(sample)
