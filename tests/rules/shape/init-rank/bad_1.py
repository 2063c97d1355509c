import torch
from torch import nn
import torch.nn.functional as F
b = torch.zeros(10)
nn.init.xavier_uniform_(b)
