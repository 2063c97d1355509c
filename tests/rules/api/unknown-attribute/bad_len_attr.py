import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.randn(4, 5)
n = x.length()
