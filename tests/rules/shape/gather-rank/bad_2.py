import torch
from torch import nn
import torch.nn.functional as F
y = torch.gather(torch.randn(2, 3, 4), 2, torch.zeros(2, 3, dtype=torch.long))
