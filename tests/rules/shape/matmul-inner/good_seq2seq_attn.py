import torch
import torch.nn as nn
import torch.nn.functional as F

enc = torch.randn(8, 12, 64)
dec = torch.randn(8, 1, 64)
scores = torch.bmm(dec, enc.transpose(1, 2))
