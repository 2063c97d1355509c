import torch
from torch import nn
import torch.nn.functional as F
l = nn.BCELoss()(-torch.ones(4), torch.ones(4))
