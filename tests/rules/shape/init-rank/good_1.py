import torch
from torch import nn
import torch.nn.functional as F
w = torch.zeros(10, 5)
nn.init.xavier_uniform_(w)
