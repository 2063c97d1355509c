import torch
w = torch.zeros(3, requires_grad=True)
(w * 2).sum().backward()
with torch.no_grad():
    w.add_(1.0)
