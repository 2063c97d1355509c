import torch
import torch.nn as nn
import torch.nn.functional as F

from torch.utils.data import TensorDataset
ds = TensorDataset(torch.randn(10, 3), torch.randn(10))
