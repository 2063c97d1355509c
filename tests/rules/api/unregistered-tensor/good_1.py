import torch
from torch import nn
import torch.nn.functional as F
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('scale', torch.ones(4))
        self.fc = nn.Linear(4, 2)
    def forward(self, x):
        return self.fc(x * self.scale)
n = N().to(device)
