import torch
from torch import nn
class Seg(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(3, 16, 3, padding=1)
        self.c2 = nn.Conv2d(16, 1, 1)
    def forward(self, x):
        return torch.sigmoid(self.c2(torch.relu(self.c1(x))))
net = Seg()
crit = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(net.parameters(), lr=1e-4)
x, m = torch.rand(4, 3, 64, 64), torch.randint(0, 2, (4, 1, 64, 64)).float()
for i in range(10):
    opt.zero_grad()
    crit(net(x), m).backward()
    opt.step()
