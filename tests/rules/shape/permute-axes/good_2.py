import torch
from torch import nn
import torch.nn.functional as F
y = torch.zeros(2, 3).permute(1, 0)
