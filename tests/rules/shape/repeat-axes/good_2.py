import torch
from torch import nn
import torch.nn.functional as F
y = torch.zeros(1, 2, 3).repeat(2, 2, 1)
