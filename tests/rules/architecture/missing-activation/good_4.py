import torch, torch.nn as nn
class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(2, 20)
        self.l2 = nn.Linear(20, 20)
        self.l3 = nn.Linear(20, 1)
    def forward(self, x):
        x = torch.tanh(self.l1(x))
        x = torch.tanh(self.l2(x))
        return torch.sigmoid(self.l3(x))
m = MLP()
opt = torch.optim.Adam(m.parameters(), lr=0.01)
x = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
y = torch.tensor([[0.], [1.], [1.], [0.]])
for i in range(2000):
    opt.zero_grad()
    nn.BCELoss()(m(x), y).backward()
    opt.step()
