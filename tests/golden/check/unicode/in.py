import torch
größe = torch.zeros(3, 4); x = größe @ torch.zeros(5, 6)
