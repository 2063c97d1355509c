import torch
from torch import nn
import torch.nn.functional as F
y = torch.ones(6).expand(2, 3)
