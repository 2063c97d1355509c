import torch
from torch import nn
import torch.nn.functional as F
l = nn.BCELoss()(torch.full((2,), 0.3), torch.zeros(2))
