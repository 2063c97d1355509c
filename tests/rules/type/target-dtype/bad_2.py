import torch
from torch import nn
import torch.nn.functional as F
l = nn.BCELoss()(torch.rand(3), torch.zeros(3).long())
