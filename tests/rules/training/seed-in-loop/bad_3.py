import torch
import torch.nn as nn

x = torch.randn(256, 10)
y = torch.randint(0, 3, (256,))
criterion = nn.CrossEntropyLoss()


def set_seed(seed=1):
    torch.manual_seed(seed)


net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(100):
    set_seed()
    noise = 0.1 * torch.randn(256, 10)
    optimizer.zero_grad()
    criterion(net(x + noise), y).backward()
    optimizer.step()
