import torch
from torch import nn
import torch.nn.functional as F
y = torch.zeros(2, 3, 4).permute(0, 1)
