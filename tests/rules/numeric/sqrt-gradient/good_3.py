import torch
x = torch.zeros(4)
y = torch.sqrt(x ** 2)
