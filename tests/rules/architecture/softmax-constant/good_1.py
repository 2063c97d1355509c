import torch, torch.nn as nn, torch.nn.functional as F
class Attn(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.v = nn.Linear(d, 1)
    def forward(self, h):
        w = F.softmax(self.v(h), dim=1)
        return (w * h).sum(dim=1)
print(Attn(8)(torch.randn(2, 5, 8)))
