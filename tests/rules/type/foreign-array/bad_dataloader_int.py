import torch
import torch.nn as nn
import torch.nn.functional as F

from torch.utils.data import TensorDataset, DataLoader
import numpy as np
x = np.random.rand(10, 3)
ds = TensorDataset(x, x)
