import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

images = datasets.ImageFolder(root='flowers', transform=transforms.Compose([transforms.Resize((32, 32)), transforms.ToTensor()]))
loader = DataLoader(dataset=images, batch_size=16, shuffle=False, num_workers=2)
net = nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
