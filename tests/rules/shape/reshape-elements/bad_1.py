import torch
x = torch.arange(10).view(3, 4)
