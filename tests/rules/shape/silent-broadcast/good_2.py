import torch
out = torch.rand(16, 1)
y = torch.rand(16)
hit = y == out.squeeze(1)
