import torch
a = torch.cat([torch.ones(4), torch.ones(4)], dim=0)
