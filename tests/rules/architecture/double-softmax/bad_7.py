import numpy as np
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader
class Data(Dataset):
    def __init__(self, n):
        self.x = np.random.rand(n, 6).astype(np.float32)
        self.y = np.random.randint(0, 4, n)
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        return self.x[i], self.y[i]
net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 4), nn.Softmax(dim=1))
loader = DataLoader(Data(1000), batch_size=20, shuffle=True)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(5):
    for x, y in loader:
        opt.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        opt.step()
