import torch
w = torch.zeros(3, requires_grad=True)
y = torch.exp(w * 2)
