import torch
from torch import nn
import torch.nn.functional as F
x = torch.tensor([torch.zeros(2), torch.ones(2)])
