import torch
from torch import nn
import torch.nn.functional as F
c = nn.Conv2d(3, 8, 3, groups=2)
