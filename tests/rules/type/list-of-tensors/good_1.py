import torch
from torch import nn
import torch.nn.functional as F
x = torch.stack([torch.zeros(2), torch.ones(2)])
