import torch
from torch import nn
import torch.nn.functional as F
m = ~(torch.randn(3) > 0)
