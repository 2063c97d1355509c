import torch
import torch.nn as nn
import torch.nn.functional as F

from torch.utils.data import DataLoader, TensorDataset
l = DataLoader(TensorDataset(torch.zeros(4, 2)), batchsize=2)
