import torch, torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTMCell(4, 8)
        self.fc = nn.Linear(8, 1)
    def forward(self, seq):
        h = torch.zeros(seq.size(0), 8); c = torch.zeros(seq.size(0), 8)
        for t in range(seq.size(1)):
            h, c = h.detach(), c.detach()
            h, c = self.rnn(seq[:, t], (h, c))
        return self.fc(h)
net = Net()
print(net(torch.randn(2, 5, 4)))
