import torch
import torch.nn as nn

x = torch.randn(256, 10)
y = torch.randint(0, 3, (256,))
criterion = nn.CrossEntropyLoss()
step = 0
while step < 100:
    net = nn.Linear(10, 3)
    optimizer = torch.optim.Adam(net.parameters())
    optimizer.zero_grad()
    criterion(net(x), y).backward()
    optimizer.step()
    step += 1
