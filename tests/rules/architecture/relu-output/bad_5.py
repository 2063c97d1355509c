import torch, torch.nn as nn, torch.nn.functional as F
class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(784, 100)
        self.fc2 = nn.Linear(100, 10)
    def forward(self, x):
        x = F.relu(self.fc1(x))
        return F.relu(self.fc2(x))
net = Net()
criterion = nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.rand(64, 784), torch.randint(0, 10, (64,))
for e in range(5):
    opt.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    opt.step()
