import torch
w = torch.zeros(4, requires_grad=True)
y = torch.acos(torch.clamp(w, -0.99, 0.99))
