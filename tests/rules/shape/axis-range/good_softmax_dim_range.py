import torch
import torch.nn as nn
import torch.nn.functional as F

p = F.softmax(torch.randn(8, 5), dim=1)
