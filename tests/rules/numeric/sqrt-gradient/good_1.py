import torch
w = torch.zeros(4, requires_grad=True)
y = torch.sqrt(w ** 2 + 1e-6)
