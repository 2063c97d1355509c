import torch
x = torch.zeros(2, 3)
n = x.shape(0)
