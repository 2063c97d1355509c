import torch

x = torch.randn(8, 32).half().float()
x = (x - x.mean(dim=1, keepdim=True)) / torch.sqrt(x.var(dim=1, keepdim=True) + 1e-8)
y = torch.randn(8, 32).half() * 0.5 + 1e-3
print(x, y)
