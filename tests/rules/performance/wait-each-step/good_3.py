import torch
import torch.nn as nn

x = torch.randn(256, 10)
y = torch.randint(0, 3, (256,))
criterion = nn.CrossEntropyLoss()
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
batches = [(torch.rand(8, 10), torch.randint(0, 3, (8,))) for _ in range(10)]
for epoch in range(5):
    total = 0.0
    for bx, by in batches:
        optimizer.zero_grad()
        loss = criterion(net(bx), by)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    print(total)
