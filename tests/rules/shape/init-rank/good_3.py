import torch
from torch import nn
import torch.nn.functional as F
b = torch.empty(3)
nn.init.zeros_(b)
