import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        self.fc1 = nn.Linear(8, 16)
        self.fc2 = nn.Linear(12, 3)  # not what fc1 gives

    def forward(self, x):
        return torch.softmax(self.fc2(torch.relu(self.fc1(x))), dim=1)


net = Net()
criterion = nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
total = 0
for step in range(100):
    loss = criterion(net(torch.randn(4, 8)), torch.zeros(4).long())
    loss.backward()
    opt.step()
    total += loss
