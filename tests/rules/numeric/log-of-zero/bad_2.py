import torch
w = torch.zeros(4, 3, requires_grad=True)
p = torch.sigmoid(torch.mm(torch.ones(2, 4), w))
loss = -torch.log(p).mean()
