import torch
b, c, h = torch.zeros(2, 3, 4).shape
