import torch
from torch import nn
import torch.nn.functional as F
y = 1 if torch.ones(2, 2).sum() else 0
