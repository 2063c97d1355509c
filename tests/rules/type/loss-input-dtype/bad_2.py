import torch
from torch import nn
import torch.nn.functional as F
l = nn.CrossEntropyLoss()(torch.randint(0, 5, (4, 3)), torch.zeros(4).long())
