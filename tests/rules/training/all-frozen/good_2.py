import torch, torch.nn as nn
from torchvision import models
net = models.resnet18(pretrained=True)
for param in net.parameters():
    param.requires_grad = False
net.fc = nn.Linear(512, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
crit = nn.CrossEntropyLoss()
x, y = torch.rand(8, 3, 224, 224), torch.randint(0, 2, (8,))
for i in range(10):
    opt.zero_grad()
    crit(net(x), y).backward()
    opt.step()
