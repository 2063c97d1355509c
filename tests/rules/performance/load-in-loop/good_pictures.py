import torch
import torch.nn as nn
from torchvision import datasets, transforms

net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
digits = datasets.MNIST('.', train=True, transform=transforms.ToTensor())
loader = torch.utils.data.DataLoader(digits, batch_size=64, shuffle=True)
for epoch in range(20):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
