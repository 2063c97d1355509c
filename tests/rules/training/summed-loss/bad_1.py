import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True)
net = nn.Linear(10, 3)
criterion = nn.CrossEntropyLoss(reduction="sum")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
