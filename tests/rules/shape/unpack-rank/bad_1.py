import torch
b, c, h, w = torch.zeros(2, 3, 4).shape
