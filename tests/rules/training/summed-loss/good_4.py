import torch
from torch import nn
x = torch.randn(256, 8)
y = (x.sum(1) > 0).float()
net = nn.Sequential(nn.Linear(8, 1), nn.Flatten(0))
opt = torch.optim.SGD(net.parameters(), lr=0.001)
for _ in range(50):
    loss = nn.functional.binary_cross_entropy_with_logits(net(x), y, reduction="sum")
    opt.zero_grad(); loss.backward(); opt.step()
