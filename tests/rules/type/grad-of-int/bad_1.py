import torch
from torch import nn
import torch.nn.functional as F
x = torch.tensor([1, 2]).requires_grad_()
