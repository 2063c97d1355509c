import torch

out = torch.zeros(0, 4)
for i in range(5000):
    out = torch.cat((out, torch.rand(1, 4)))
