import torch
from torch import nn
import torch.nn.functional as F
x = torch.FloatTensor([torch.randn(2, 2), torch.randn(2, 2)])
