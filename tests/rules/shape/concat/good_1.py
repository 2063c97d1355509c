import torch
x = torch.cat([torch.zeros(2, 3), torch.zeros(2, 4)], dim=1)
