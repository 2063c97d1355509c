import torch

x = torch.randn(8, 32).half()
x = (x - x.mean(dim=1, keepdim=True)) / torch.sqrt(x.var(dim=1, keepdim=True) + 1e-8)
print(x)
