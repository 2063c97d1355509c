import torch

parts = []
for i in range(5000):
    parts.append(torch.rand(1, 4))
out = torch.cat(parts)
