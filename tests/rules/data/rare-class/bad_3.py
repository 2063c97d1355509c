import torch
from torch import nn

x = torch.randn(1000, 6)
y = torch.cat([torch.zeros(970), torch.ones(30)])
net = nn.Sequential(nn.Linear(6, 1), nn.Flatten(0))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(10):
    for rows in torch.randperm(1000).split(50):
        loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
