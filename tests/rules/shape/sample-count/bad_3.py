import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
import torch
from torch.utils.data import TensorDataset
d = TensorDataset(torch.zeros(10, 2), torch.zeros(11))
