import torch
from torch import nn
import torch.nn.functional as F
l = nn.CrossEntropyLoss()(torch.randn(4, 3), torch.zeros(4).long())
