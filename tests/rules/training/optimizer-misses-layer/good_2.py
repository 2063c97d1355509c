import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(10, 16)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


net = Net()
net.head = nn.Linear(16, 2)
optimizer = torch.optim.Adam(net.parameters())
x, y = torch.rand(64, 10), torch.randint(0, 2, (64,))
for epoch in range(20):
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
