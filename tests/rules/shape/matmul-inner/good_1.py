import torch
a = torch.zeros(3, 4) @ torch.zeros(4, 3)
