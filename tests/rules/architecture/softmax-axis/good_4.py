import torch, torch.nn as nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 16)
        self.att = nn.Linear(16, 1)
    def forward(self, x):           # T B D
        h, _ = self.rnn(x)
        w = torch.softmax(self.att(h), dim=0)
        return (w * h).sum(dim=0)
print(M()(torch.randn(5, 2, 8)).shape)
