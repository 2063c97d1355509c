import torch
import torch.nn as nn
from torchvision import datasets, transforms

net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(20):
    digits = datasets.MNIST('.', train=True, transform=transforms.ToTensor())
    for x, y in torch.utils.data.DataLoader(digits, batch_size=64, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
