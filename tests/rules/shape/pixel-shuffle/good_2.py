import torch
from torch import nn
import torch.nn.functional as F
y = nn.PixelShuffle(3)(torch.randn(1, 9, 4, 4))
