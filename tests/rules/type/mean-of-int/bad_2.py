import torch
from torch import nn
import torch.nn.functional as F
a = (torch.randn(5) > 0).mean()
