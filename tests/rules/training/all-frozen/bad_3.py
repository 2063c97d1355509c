import torch
import torch.nn as nn

x = torch.randn(256, 10)
y = torch.randint(0, 3, (256,))
criterion = nn.CrossEntropyLoss()
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
for p in net.parameters():
    p.requires_grad = False
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(50):
    optimizer.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    optimizer.step()
