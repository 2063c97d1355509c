import torch.nn as nn, torch
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(784, 128), nn.Sigmoid(), nn.Linear(128, 128), nn.Sigmoid(), nn.Linear(128, 128), nn.Sigmoid(),
            nn.Linear(128, 128), nn.Sigmoid(), nn.Linear(128, 128), nn.Sigmoid(), nn.Linear(128, 10))
    def forward(self, x):
        return self.layers(x.view(-1, 784))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.rand(32, 1, 28, 28)
y = torch.randint(0, 10, (32,))
for _ in range(10):
    opt.zero_grad()
    nn.CrossEntropyLoss()(net(x), y).backward()
    opt.step()
