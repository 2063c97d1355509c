import torch
import torch.nn as nn
class AE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(20, 8), nn.ReLU(), nn.Linear(8, 1))
        self.dec = nn.Sequential(nn.Linear(1, 8), nn.ReLU(), nn.Linear(8, 20))
    def forward(self, x):
        return self.dec(self.enc(x))
net = AE()
x = torch.randn(16, 20)
loss = nn.functional.mse_loss(net(x), x)
