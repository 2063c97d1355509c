import torch
from torch import nn
import torch.nn.functional as F
l = nn.BCELoss()(torch.sigmoid(torch.randn(3)), torch.ones(3))
