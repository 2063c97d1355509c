import torch
a, b, c = torch.zeros(12, 6).chunk(3, dim=0)
