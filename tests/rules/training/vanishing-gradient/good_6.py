import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(100, 100) for _ in range(8)])
        self.out = nn.Linear(100, 10)
        for l in self.layers:
            nn.init.kaiming_normal_(l.weight)
    def forward(self, x):
        for l in self.layers:
            x = torch.relu(l(x))
        return self.out(x)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(64, 100), torch.randint(0, 10, (64,))
for i in range(100):
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
