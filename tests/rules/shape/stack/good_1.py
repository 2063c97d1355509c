import torch
from torch import nn
import torch.nn.functional as F
y = torch.stack([torch.zeros(3), torch.zeros(3)])
