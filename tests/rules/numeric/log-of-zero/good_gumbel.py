import torch

u = torch.rand(3, 4)
gumbel = -torch.log(-torch.log(u + 1e-7) + 1e-7)
print(torch.softmax(gumbel, dim=-1))
