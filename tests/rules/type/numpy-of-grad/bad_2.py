import torch
from torch import nn
import torch.nn.functional as F
w = torch.ones(2, requires_grad=True)
a = w.numpy()
