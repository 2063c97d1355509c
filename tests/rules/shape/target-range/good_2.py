import torch
from torch import nn
import torch.nn.functional as F
l = nn.CrossEntropyLoss()(torch.randn(2, 5), torch.tensor([1, 4]))
