import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(60, 4), torch.randn(60, 1))
loader = DataLoader(data, batch_size=32)
interval = int(len(loader) * 0.25)
net = nn.Linear(4, 1)
for step, (x, y) in enumerate(loader):
    loss = nn.functional.mse_loss(net(x), y)
    if step % interval == 0:
        print(step, loss.item())
