import torch
from torch import nn
import torch.nn.functional as F
y = nn.Linear(2, 1)(torch.randn(3, 2)).numpy()
