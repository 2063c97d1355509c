import torch
from torch import nn
import torch.nn.functional as F
d = nn.Dropout2d(p=0.1)
