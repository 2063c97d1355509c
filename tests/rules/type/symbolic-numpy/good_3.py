import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
m = keras.Sequential([layers.Dense(1, input_shape=(2,))])
a = m.predict(np.zeros((1, 2)))
