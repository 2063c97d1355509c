import torch
x = torch.randn(4, 3, 8, 8)
y = x.permute(0, 2, 3, 1).reshape(4, 64, 3)
z = y.reshape(4, 8, 8, 3).permute(0, 3, 1, 2)
p = torch.softmax(torch.randn(4, 3, 8, 8), dim=1)
t = torch.nn.functional.one_hot(torch.randint(0, 3, (4, 8, 8)), 3).permute(0, 3, 1, 2).float()
dice = (p * t).sum(dim=(2, 3))
gates = torch.softmax(torch.randn(16, 4), dim=1)
load = (gates * torch.ones(16, 4)).sum(dim=0)
