import torch
x = torch.zeros(3)
y = x(0)
