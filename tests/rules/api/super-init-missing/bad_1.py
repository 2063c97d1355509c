import torch
from torch import nn
import torch.nn.functional as F
class N(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)
    def forward(self, x):
        return self.fc(x)
N()
