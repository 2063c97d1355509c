import torch
from torch.utils.data import DataLoader, TensorDataset, random_split
x = torch.randn(200, 3)
y = torch.cat([torch.zeros(100), torch.ones(100)]).long()
train, val = random_split(TensorDataset(x, y), [160, 40])
net = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in DataLoader(train, batch_size=10):
    loss = torch.nn.functional.cross_entropy(net(a), b)
    opt.zero_grad(); loss.backward(); opt.step()
