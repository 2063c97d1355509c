import torch
from torch import nn
import torch.nn.functional as F
b = torch.zeros(4)
nn.init.kaiming_normal_(b)
