import torch
x = torch.ones(4, 3) + torch.ones(4)
