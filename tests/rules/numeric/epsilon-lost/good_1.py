import torch

p = torch.sigmoid(torch.randn(10))
p = p.clamp(1e-6, 1 - 1e-6)
logit = torch.log(p / (2 - p))
