import torch
from torch import nn
import torch.nn.functional as F
c = nn.Conv2d(1, 2, kernel_size=3)
