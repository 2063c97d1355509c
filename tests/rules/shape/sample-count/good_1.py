import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
m = keras.Sequential([layers.Dense(1, input_shape=(4,))])
m.compile('adam', 'mse')
m.fit(np.random.rand(100, 4), np.random.rand(100))
