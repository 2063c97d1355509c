import torch
from torch import nn
import torch.nn.functional as F
x = torch.ones(4)
y = x.repeat(3)
