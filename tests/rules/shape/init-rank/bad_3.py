import torch
from torch import nn
import torch.nn.functional as F
w = torch.empty(3)
nn.init.xavier_normal_(w)
