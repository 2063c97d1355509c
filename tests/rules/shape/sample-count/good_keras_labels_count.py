import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Dense(1, input_shape=(4,))])
model.compile('adam', 'mse')
model.fit(np.random.rand(100, 4), np.random.rand(100))
