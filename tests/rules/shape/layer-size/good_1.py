import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
x = layers.Dense(1)
