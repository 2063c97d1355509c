import torch
from torch import nn
import torch.nn.functional as F
x = torch.zeros(2)
x.requires_grad_()
