import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, size, drop=0.2):
        super().__init__()
        self.qkv = nn.Linear(size, 3 * size)
        self.size, self.drop = size, drop

    def forward(self, x):
        q, k, v = self.qkv(x).split(self.size, dim=2)
        return F.scaled_dot_product_attention(q, k, v, dropout_p=self.drop if self.training else 0.0)


layer = Attention(32)
layer.eval()
print(layer(torch.randn(2, 5, 32)))
