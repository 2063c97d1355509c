import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = layers.Conv2D(filter=32, kernel_size=3)
