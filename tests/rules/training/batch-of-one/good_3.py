import torch
import torch.nn as nn

net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.GroupNorm(4, 8), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 30 * 30, 2))
optimizer = torch.optim.Adam(net.parameters())
for step in range(100):
    image, label = torch.rand(1, 3, 32, 32), torch.randint(0, 2, (1,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(image), label).backward()
    optimizer.step()
