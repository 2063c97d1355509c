import torch
a = torch.cat([torch.ones(4).squeeze(), torch.ones(4)], dim=1)
