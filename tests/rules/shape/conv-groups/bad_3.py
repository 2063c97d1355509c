import torch
from torch import nn
import torch.nn.functional as F
c = nn.Conv2d(5, 20, 1, groups=3)
