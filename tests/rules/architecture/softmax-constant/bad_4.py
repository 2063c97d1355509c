import torch
from torch import nn
class WordAttention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.proj = nn.Linear(2 * hidden, 2 * hidden)
        self.context = nn.Linear(2 * hidden, 1, bias=False)
        self.gru = nn.GRU(50, hidden, bidirectional=True, batch_first=True)
    def forward(self, x):
        h, _ = self.gru(x)
        u = torch.tanh(self.proj(h))
        a = torch.softmax(self.context(u), dim=2)
        return (a * h).sum(1)
print(WordAttention(20)(torch.randn(4, 12, 50)).shape)
