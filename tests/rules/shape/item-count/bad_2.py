import torch
from torch import nn
import torch.nn.functional as F
y = nn.Linear(2, 2)(torch.randn(4, 2)).item()
