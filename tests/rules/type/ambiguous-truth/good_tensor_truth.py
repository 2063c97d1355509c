import torch
import torch.nn as nn
import torch.nn.functional as F

pred = torch.randn(8).sigmoid() > 0.5
label = torch.randint(0, 2, (8,)).bool()
correct = 0
correct += (pred == label).sum().item()
