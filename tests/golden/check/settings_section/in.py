import torch
x = torch.zeros(2, 3) @ torch.zeros(2, 3)
