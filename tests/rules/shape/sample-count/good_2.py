import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
m = keras.Sequential([layers.Dense(1, input_shape=(3,))])
m.compile('sgd', 'mse')
m.train_on_batch(np.zeros((8, 3)), np.zeros((8, 1)))
