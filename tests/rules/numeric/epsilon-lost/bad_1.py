import torch

p = torch.sigmoid(torch.randn(10))
p = p.clamp(1e-9, 1 - 1e-9)
logit = torch.log(p / (2 - p))
