import torch, torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
train = datasets.ImageFolder('data/train', transform=transforms.Compose([transforms.Resize((64, 64)), transforms.ToTensor()]))
loader = DataLoader(train, batch_size=32, shuffle=True)
net = nn.Sequential(nn.Flatten(), nn.Linear(64 * 64 * 3, 64), nn.ReLU(), nn.Linear(64, 5))
opt = torch.optim.Adam(net.parameters())
crit = nn.CrossEntropyLoss()
for epoch in range(10):
    for x, y in loader:
        opt.zero_grad()
        crit(net(x), y).backward()
        opt.step()
