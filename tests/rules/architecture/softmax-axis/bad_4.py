import torch, torch.nn as nn, torch.nn.functional as F
class Attn(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.w = nn.Linear(h, h); self.v = nn.Linear(h, 1)
    def forward(self, enc):             # enc: batch, time, hidden
        e = self.v(torch.tanh(self.w(enc)))
        a = F.softmax(e, dim=0)
        ctx = torch.sum(a * enc, dim=1)
        return ctx
print(Attn(16)(torch.randn(4, 9, 16)).shape)
