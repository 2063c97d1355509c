import torch
a, b = torch.zeros(12, 6).chunk(3, dim=0)
