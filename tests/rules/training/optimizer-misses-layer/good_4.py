import torch
from torch import nn
from torchvision import models
model = models.resnet50(pretrained=True)
model.fc = nn.Linear(2048, 5)
optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.01, momentum=0.9)
criterion = nn.CrossEntropyLoss()
x, y = torch.rand(4, 3, 224, 224), torch.randint(0, 5, (4,))
for epoch in range(5):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
