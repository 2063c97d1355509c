import torch
from torch import nn
import torch.nn.functional as F
y = torch.randn(4, 3).gather(1, torch.zeros(4, 1, dtype=torch.long))
