import torch
from torch import nn
class LSTMNet(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hid, batch_first=True)
        self.fc = nn.Linear(hid, 1)
    def forward(self, x):
        out, (h, c) = self.lstm(self.emb(x))
        return torch.softmax(self.fc(h[-1]), dim=1)
net = LSTMNet(1000, 32, 64)
opt = torch.optim.Adam(net.parameters())
x, y = torch.randint(0, 1000, (16, 20)), torch.randint(0, 2, (16, 1)).float()
for i in range(10):
    opt.zero_grad()
    loss = nn.BCELoss()(net(x), y)
    loss.backward()
    opt.step()
