import tensorflow as tf
import tensorflow.keras.layers as L
from tensorflow import keras
from torch.nn import functional as F, Linear
import os.path
try:
    import cupy as np
except ImportError:
    import numpy as np
layers = keras.layers
K = layers
L.Dense(1); keras.Model(); F.relu(x); Linear(1, 2); os.path.join("a")
np.zeros(3); layers.Conv2D(1); K.Dense(2); tf.keras.losses.MSE(a, b)
def f():
    import torch as tf
    return tf.zeros(1)
def g(keras):
    return keras.Model()
