import torch, torch.nn as nn
class SelfAttention(nn.Module):
    def __init__(self, d, heads=4):
        super().__init__()
        self.h = heads; self.d = d // heads
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(B, T, self.h, self.d).transpose(1, 2)
        k = k.view(B, T, self.h, self.d).transpose(1, 2)
        v = v.view(B, T, self.h, self.d).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * self.d ** -0.5
        att = att.softmax(dim=1)
        y = att @ v
        return self.proj(y.transpose(1, 2).contiguous().view(B, T, C))
print(SelfAttention(32)(torch.randn(2, 5, 32)).shape)
