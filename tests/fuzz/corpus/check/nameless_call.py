import torch
w = torch.zeros(3, requires_grad=True)
(w * 2).().backward()
w.add_(1.0)
