import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
a = np.sum(np.zeros((3, 3)))
