import torch
from torch import nn
import torch.nn.functional as F
x = torch.randn(3, 4).gather(1, torch.zeros(3, 1).long())
