import torch
from torch import nn, optim
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 8)
        self.fc2 = nn.Linear(8, 1)
    def forward(self, x):
        x = torch.relu(self.fc1(x))
        return torch.relu(self.fc2(x))
net = Net()
x = torch.Tensor([[0, 0], [0, 1], [1, 0], [1, 1]])
y = torch.Tensor([[0], [1], [1], [0]])
loss_fn = nn.BCELoss()
opt = optim.SGD(net.parameters(), lr=0.1)
for epoch in range(1000):
    opt.zero_grad()
    loss = loss_fn(net(x), y)
    loss.backward()
    opt.step()
