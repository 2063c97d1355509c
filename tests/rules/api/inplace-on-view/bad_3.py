import torch
w = torch.rand(3, requires_grad=True)
for row in torch.ones(3, 2):
    row += w.sum()
