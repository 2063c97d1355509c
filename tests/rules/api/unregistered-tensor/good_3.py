import torch
from torch import nn
import torch.nn.functional as F
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
class N(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.mean = torch.zeros(n)
        self.l = nn.Linear(n, 1)
    def forward(self, x):
        return self.l(x - self.mean.to(x.device))
m = N(3)
m.to(device)
