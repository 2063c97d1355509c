import torch
from torch import nn
import torch.nn.functional as F
y = nn.PixelShuffle(2)(torch.randn(1, 6, 4, 4))
