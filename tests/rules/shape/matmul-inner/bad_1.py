import torch
a = torch.zeros(3, 4) @ torch.zeros(3, 4)
