import torch
from torch import nn
import torch.nn.functional as F
y = torch.zeros(3).masked_fill(torch.ones(3).bool(), 1)
