import torch
from torch import nn
import torch.nn.functional as F
from tensorflow import keras
class M(keras.Model):
    def __init__(self):
        super(M, self).__init__()
        self.d = keras.layers.Dense(3)
M()
