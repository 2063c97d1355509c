import torch
x = torch.zeros(3).sum(dim=1)
