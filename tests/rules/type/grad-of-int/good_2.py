import torch
from torch import nn
import torch.nn.functional as F
x = torch.arange(3.).requires_grad_(True)
