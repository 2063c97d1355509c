import torch
import torch.nn as nn
import torch.nn.functional as F

class AE(nn.Module):
    def __init__(self, dim=784, code=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, 128), nn.ReLU(), nn.Linear(128, code))
        self.dec = nn.Sequential(nn.Linear(code, 128), nn.ReLU(), nn.Linear(128, dim), nn.Sigmoid())
    def forward(self, x):
        return self.dec(self.enc(x.view(x.size(0), -1)))
model = AE()
x = torch.rand(16, 1, 28, 28)
loss = F.mse_loss(model(x), x.view(16, -1))
