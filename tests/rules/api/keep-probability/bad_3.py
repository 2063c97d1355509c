import torch
from torch import nn
keep_prob = 0.9
from tensorflow.keras.layers import Dropout
d = Dropout(keep_prob)
