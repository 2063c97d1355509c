import torch
from torch import nn
import torch.nn.functional as F
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
class P(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.zeros(10, 8)
    def forward(self, x):
        return x + self.table[:x.size(0)]
p = P().cuda()
