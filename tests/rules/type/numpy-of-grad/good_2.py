import torch
from torch import nn
import torch.nn.functional as F
w = torch.ones(2)
a = w.numpy()
